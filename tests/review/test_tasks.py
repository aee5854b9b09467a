"""Who is shown what, in which order: laws that hold for every seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbalance.items.frames import Order
from counterbalance.presentations.presentation import RenderedPrompt
from counterbalance.protocol.loading import protocol_from_toml
from counterbalance.review.tasks import audit_sample, reviewer_tasks, task_prompt
from record.studies import pair
from studies import write_study


@pytest.fixture(scope="module")
def protocol(tmp_path_factory):
    path = write_study(tmp_path_factory.mktemp("study"))
    return protocol_from_toml(path.read_text("utf-8"), path.name)


def cases(n: int, consequences=(1.0,)):
    made = [pair(number) for number in range(n)]
    return [
        replace(p, item=replace(p.item, consequence=consequences[i % len(consequences)]))
        for i, p in enumerate(made)
    ]


def shown(pairs, protocol, **more):
    words = {"seed": 1, "repeats": 0, "name": "ann", "review": "r", **more}
    return reviewer_tasks(pairs, protocol, **words)


@given(n=st.integers(0, 25), seed=st.integers(0, 10**6), repeats=st.integers(0, 6))
def test_every_case_comes_once_and_repeats_in_the_exchanged_order(protocol, n, seed, repeats):
    pairs = cases(n)
    tasks = shown(pairs, protocol, seed=seed, repeats=repeats)
    first = [task for task in tasks if task.repetition == 0]
    again = [task for task in tasks if task.repetition == 1]
    assert Counter(task.pair_id for task in first) == Counter(p.id for p in pairs)
    orders = Counter(task.order for task in first)
    assert abs(orders[Order.FORWARD] - orders[Order.REVERSED]) <= 1
    assert len(again) <= repeats
    place = {task.key: i for i, task in enumerate(tasks)}
    for task in again:
        (before,) = [t for t in first if t.pair_id == task.pair_id]
        assert before.order is task.order.other
        assert place[task.key] - place[before.key] > min(5, n // 2)
    assert len({task.key for task in tasks}) == len(tasks)


def test_as_many_repeats_as_asked_where_the_queue_is_long(protocol):
    assert len(shown(cases(20), protocol, repeats=5)) == 25
    assert len(shown(cases(3), protocol, repeats=5)) == 3


def test_consequence_decides_and_nothing_else_shows(protocol):
    pairs = cases(12, (1.0, 5.0, 3.0))
    by_id = {p.id: p.item.consequence for p in pairs}
    found = [by_id[task.pair_id] for task in shown(pairs, protocol)]
    assert found == sorted(found, reverse=True)
    # The sequence of the cases, which follows their reasons, has no influence.
    assert shown(pairs, protocol) == shown(pairs[::-1], protocol)


def test_reviewers_and_seeds_differ(protocol):
    pairs = cases(12)
    ann, bob = shown(pairs, protocol), shown(pairs, protocol, name="bob")
    assert [t.pair_id for t in ann] != [t.pair_id for t in bob]
    assert not {t.key for t in ann} & {t.key for t in bob}
    assert [t.pair_id for t in shown(pairs, protocol, seed=2)] != [t.pair_id for t in ann]


def test_the_prompt_of_a_task_is_what_is_shown(protocol):
    one = pair(0, a="The first.", b="The second.")
    (task,) = shown([one], protocol)
    prompt = task_prompt(one, task.order, protocol)
    assert RenderedPrompt(prompt).digest == task.prompt_digest
    body = prompt[1].content
    texts = ("The first.", "The second.")
    first, second = texts if task.order is Order.FORWARD else texts[::-1]
    assert f"Response 1\n{first}\n\nResponse 2\n{second}" in body
    assert "A shared context." in body
    assert one.id not in body


@given(n=st.integers(0, 30), size=st.integers(0, 40), seed=st.integers(0, 10**6))
def test_an_audit_is_a_sample_of_its_frame(n, size, seed):
    frame = [f"p{i}" for i in range(n)]
    drawn = audit_sample(frame, size, seed)
    assert len(drawn) == min(n, size)
    assert drawn <= set(frame)
    assert drawn == audit_sample(frame[::-1], size, seed)


def test_every_pair_is_drawn_as_often_as_every_other():
    frame = [f"p{i}" for i in range(10)]
    counts = Counter(p for seed in range(2000) for p in audit_sample(frame, 3, seed))
    # Mean 600, standard deviation 20.5: five of them.
    assert all(abs(counts[p] - 600) < 103 for p in frame)
