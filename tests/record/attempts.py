"""Attempts that hold anything at all, for every store."""

from __future__ import annotations

from hypothesis import strategies as st

from counterbalance.items.frames import Slot
from counterbalance.parsing.outcome import FailureKind, Outcome, OutcomeKind
from counterbalance.presentations.reply import Reply, Usage
from counterbalance.record.attempt import Attempt
from record.studies import STARTED_AT, study

UNICODE = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
ANY_TEXT = st.text(alphabet=st.characters(), max_size=40) | st.sampled_from(
    ["\0", "a\0b", "\ud83d\ude00", "\ud800", "😀", "\udcff", '{"surrogatepass_base64": ""}']
)
ANY_FLOAT = st.floats(allow_nan=False)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
COUNT = st.integers(-(2**63) + 1, 2**63 - 1)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | FINITE | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=6,
)
REPLIES = st.builds(
    Reply,
    text=ANY_TEXT,
    finish=ANY_TEXT,
    reasoning=ANY_TEXT,
    refusal=ANY_TEXT,
    token_logprobs=st.lists(st.tuples(ANY_TEXT, ANY_FLOAT), max_size=3).map(tuple),
    usage=st.none() | st.builds(Usage, COUNT, COUNT, is_measured=st.booleans()),
    model=ANY_TEXT,
    fingerprint=ANY_TEXT,
    sent=st.dictionaries(ANY_TEXT, JSON, max_size=3),
)
OUTCOMES = st.builds(
    Outcome,
    kind=st.sampled_from(OutcomeKind),
    rule=ANY_TEXT,
    strength=st.sampled_from([None, "much", "slightly"]),
    failure=st.none() | st.sampled_from(FailureKind),
    span=st.none() | st.tuples(st.integers(0), st.integers(0)),
    label=ANY_TEXT,
    fallback=ANY_TEXT,
    repairs=st.lists(ANY_TEXT, max_size=2).map(tuple),
    fields=st.lists(
        st.tuples(ANY_TEXT, st.lists(st.sampled_from(Slot), max_size=2).map(tuple)), max_size=2
    ).map(tuple),
    label_mass=st.none() | ANY_FLOAT,
    log_odds_first=st.none() | ANY_FLOAT,
)
ATTEMPTS = st.builds(
    Attempt,
    key=st.just(study()[1][0].presentation.key),
    number=st.integers(1, 2**31),
    started_at=st.just(STARTED_AT),
    seconds=st.none() | FINITE,
    outcome=OUTCOMES,
    reply=st.none() | REPLIES,
    parser=st.text(st.characters(exclude_categories=["Cs"]), max_size=10),
    problem=ANY_TEXT,
    cost_usd=st.none() | FINITE,
)
