from __future__ import annotations

import pytest

from commands import command
from counterbalance import read_report
from counterbalance.errors import ProtocolError
from counterbalance.run.fitting import judged_by_kin
from counterbalance.run.study import load_study
from studies import attempts_of, row, run, write_http_study, write_study

FIELD = {"id": "policy", "rule": "verdict_field", "value": "breaks_policy", "text": "Obey."}


@pytest.mark.parametrize(
    ("edit", "rows", "words"),
    [
        (
            ("", '[[exclusions]]\nreason = "x"\ncategory = "draft"\n'),
            None,
            "no pair has the category",
        ),
        (
            ('baseline = "old"', 'baseline = "older"'),
            None,
            "no candidate is by 'older'.*'new', 'old'",
        ),
        (('baseline = "old"', 'baseline = "x"'), [row(0, a="t", b="u")], "name none at all"),
        (("", ""), [row(0, requirements=[FIELD])], "field 'breaks_policy' answers; declare it"),
        (('first = "A"', 'first = "old"'), None, "label 'old' is a system's name"),
    ],
)
def test_a_protocol_that_does_not_fit_its_pairs_is_refused(tmp_path, edit, rows, words):
    protocol = write_study(tmp_path, rows=rows)
    text = protocol.read_text("utf-8")
    old, new = edit
    protocol.write_text(text.replace(old, new) if old else text + new, "utf-8")
    with pytest.raises(ProtocolError, match=words):
        load_study(protocol)
    assert not (tmp_path / "protocol.record.sqlite").exists()


def test_what_the_template_does_not_show_is_noted(tmp_path):
    user = (
        "{{fence}}\\n{{prompt}}\\n{{fence}} {{first_label}}\\n{{first}}\\n{{fence}}"
        " {{second_label}}\\n{{second}}\\n{{fence}}\\n{{verdict}}"
    )
    more = f'[prompt]\nid = "short"\nsystem = ""\nuser = "{user}"\n'
    protocol = write_study(tmp_path, rows=[row(0, context="Facts."), row(1)], more=more)
    run(protocol)
    from counterbalance.record import open_record  # noqa: PLC0415

    with open_record(tmp_path / "protocol.record.sqlite", create=False, exclusive=False) as store:
        notes = store.header().notes
    assert "The prompt template does not show {{context}}, which 1 pairs have." in notes
    assert len(attempts_of(tmp_path / "protocol.record.sqlite")) == 4


def far(folder, model, systems):
    a, b = systems
    rows = [row(0, a={"system": a, "text": "One."}, b={"system": b, "text": "Two."})]
    protocol = write_http_study(folder, "http://127.0.0.1:1/v1", rows=rows)
    text = protocol.read_text("utf-8").replace('model = "m"', f'model = "{model}"')
    protocol.write_text(text.replace('baseline = "old"\n', ""), "utf-8")
    return protocol


def test_a_judge_of_a_candidates_family_is_warned_of_in_the_plan_and_in_the_report(tmp_path):
    model = "openrouter/anthropic/claude-sonnet-4.5"
    protocol = far(tmp_path, model, ("us.anthropic.claude-haiku-4-5-v1:0", "gpt-4.1"))
    planned = command("plan", protocol)
    assert planned.code == 0
    (line,) = [line for line in planned.out.splitlines() if line.startswith("warning: ")]
    assert "judged 'us.anthropic.claude-haiku-4-5-v1:0': judges may favour" in line
    assert "gpt" not in line
    run(protocol)
    warnings = read_report(tmp_path / "protocol.record.sqlite").warnings
    assert [w for w in warnings if "Claude (Anthropic)" in w] == [line.removeprefix("warning: ")]


def test_a_judge_of_another_or_an_unknown_family_is_not_warned_of(tmp_path):
    for n, (model, systems) in enumerate(
        [("gemini-2.5-flash", ("claude-haiku-4-5", "gpt-4.1")), ("m", ("old", "new"))]
    ):
        study = load_study(far(tmp_path / str(n), model, systems))
        assert judged_by_kin(study.protocol, study.pairs.pairs) == ()
