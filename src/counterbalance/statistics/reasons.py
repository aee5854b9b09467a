"""Why a value does not exist, and why one that exists should be read with care.

A result whose value is missing carries one :class:`Undefined`; a result whose interval was made by
a substitute, or leans on too little, carries one or more :class:`Caution`. Both are closed lists,
so that a report can count them, and both say themselves in a sentence.
"""

from __future__ import annotations

from enum import StrEnum

__all__ = ["FEW_DISCORDANT", "Caution", "Undefined"]

FEW_DISCORDANT = 10
"""Units that differ, below which a large-sample p-value carries a caution."""


class Undefined(StrEnum):
    """Reason why a statistic has no value; stands where 0 or NaN would be invented."""

    NO_OBSERVATIONS = "no_observations"
    ZERO_DENOMINATOR = "zero_denominator"
    ONE_CLUSTER = "one_cluster"
    TOO_FEW_CLUSTERS = "too_few_clusters"
    ONE_GROUP = "one_group"
    NO_DISCORDANT = "no_discordant"
    NO_VARIATION = "no_variation"
    EXPECTED_AGREEMENT_ONE = "expected_agreement_one"
    TOO_FEW_RATINGS = "too_few_ratings"
    TOO_FEW_REPEATS = "too_few_repeats"
    UNBOUNDED = "unbounded"
    UNSTABLE_RESAMPLES = "unstable_resamples"
    CONTRADICTORY = "contradictory"
    NO_INTERVAL = "no_interval"
    NOT_IDENTIFIED = "not_identified"
    NOT_TESTED = "not_tested"
    NO_CONVERGENCE = "no_convergence"
    OUTSIDE_RANGE = "outside_range"
    OUT_OF_REACH = "out_of_reach"
    SEPARATION = "separation"
    TOO_MANY_PARAMETERS = "too_many_parameters"
    TOO_FEW_UNITS = "too_few_units"

    @property
    def sentence(self) -> str:
        """The reason in words, complete with its full stop."""
        return _UNDEFINED[self]


class Caution(StrEnum):
    """Reason why a value that exists leans on less than it seems to."""

    FEW_CLUSTERS = "few_clusters"
    FEW_LABELS = "few_labels"
    UNEVEN_CLUSTERS = "uneven_clusters"
    NO_EASE = "no_ease"
    NO_GROUP_SPREAD = "no_group_spread"
    NO_SPREAD = "no_spread"
    CUT_AT_BOUND = "cut_at_bound"
    FEW_DISCORDANT = "few_discordant"
    PERCENTILE_NARROW = "percentile_narrow"

    @property
    def sentence(self) -> str:
        """The caution in words, complete with its full stop."""
        return _CAUTION[self]


_UNDEFINED = {
    Undefined.NO_OBSERVATIONS: "There is no observation to compute this from.",
    Undefined.ZERO_DENOMINATOR: "Nothing counts in the denominator.",
    Undefined.ONE_CLUSTER: "All observations are from one cluster, so how far clusters differ "
    "cannot be seen.",
    Undefined.TOO_FEW_CLUSTERS: "Fewer than 10 clusters, too few to tell how far clusters differ.",
    Undefined.ONE_GROUP: "All units are in one group, so there is no other to compare it with.",
    Undefined.NO_DISCORDANT: "No unit points either way, so there is nothing to test.",
    Undefined.NO_VARIATION: "Nothing varies here: there is no error to measure or compare by.",
    Undefined.EXPECTED_AGREEMENT_ONE: "All raters used one and the same category throughout, so "
    "agreement beyond chance has no meaning.",
    Undefined.TOO_FEW_RATINGS: "No unit was rated at least twice, so there is no agreement to see.",
    Undefined.TOO_FEW_REPEATS: "No unit was repeated often enough for repeats to be compared.",
    Undefined.UNBOUNDED: "A cell of the table is empty, so no finite value fits best.",
    Undefined.UNSTABLE_RESAMPLES: "Too many resamples have no value or no spread of their own, so "
    "limits cannot be read from them.",
    Undefined.CONTRADICTORY: "The figures cannot all be true of the same units.",
    Undefined.NO_INTERVAL: "There is no interval to hold against the margin.",
    Undefined.NOT_IDENTIFIED: "The data cannot tell this value from others that would fit as well.",
    Undefined.NO_CONVERGENCE: "The iteration did not settle within the steps allowed.",
    Undefined.NOT_TESTED: "This comparison has no p-value; it still counts in the family.",
    Undefined.OUTSIDE_RANGE: "The estimate is outside the possible range, so what it rests on does "
    "not hold.",
    Undefined.OUT_OF_REACH: "No design within these limits reaches what was asked.",
    Undefined.SEPARATION: "Some combination of the features parts the outcomes without exception, "
    "so an estimate would be infinite.",
    Undefined.TOO_MANY_PARAMETERS: "Clusters do not outnumber the parameters, so their spread "
    "cannot be estimated.",
    Undefined.TOO_FEW_UNITS: "No cluster holds two units, so units and clusters cannot be told "
    "apart.",
}
_CAUTION = {
    Caution.FEW_CLUSTERS: "Fewer than 10 clusters: the interval may be too narrow or too wide.",
    Caution.FEW_LABELS: "Fewer than 20 labelled clusters: the interval may be too narrow.",
    Caution.UNEVEN_CLUSTERS: "A few large clusters carry most of the weight, so the interval rests "
    "on fewer than 4 degrees of freedom.",
    Caution.NO_EASE: "No ease of the units went in, so a value far from one half is drawn towards "
    "it.",
    Caution.NO_GROUP_SPREAD: "The levels of a group do not differ by more than chance; its spread "
    "is put at 0.",
    Caution.NO_SPREAD: "All clusters gave the same value; the interval is a bound from their "
    "number, not from their spread.",
    Caution.CUT_AT_BOUND: "The interval reached past the possible range and was cut there.",
    Caution.FEW_DISCORDANT: "Fewer than 10 units decide this test, so its large-sample p-value is "
    "rough.",
    Caution.PERCENTILE_NARROW: "Fewer than 50 clusters: percentile limits are too narrow; prefer "
    "the studentised ones.",
}
