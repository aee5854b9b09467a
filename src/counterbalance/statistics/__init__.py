"""Textbook statistics: numbers in, frozen result out; no word of the product in here."""

from __future__ import annotations

from counterbalance.statistics.agreement import CohenKappa, cohen_kappa
from counterbalance.statistics.binomial import BinomialTest, binomial_test
from counterbalance.statistics.clustered import ClusterEstimate, cluster_mean, cluster_ratio
from counterbalance.statistics.clustered_proportion import cluster_proportion
from counterbalance.statistics.crossover import MainlandGartTest, mainland_gart_test
from counterbalance.statistics.marginal_homogeneity import (
    SquareTableTest,
    bhapkar_test,
    stuart_maxwell_test,
)
from counterbalance.statistics.multiplicity import (
    FamilyStep,
    FamilyTest,
    benjamini_hochberg,
    holm,
)
from counterbalance.statistics.permutation import ExcessPermutationTest, excess_permutation_test
from counterbalance.statistics.prescott import PrescottTest, prescott_test
from counterbalance.statistics.proportions import (
    ProportionInterval,
    clopper_pearson_interval,
    proportion_interval,
    wilson_interval,
)
from counterbalance.statistics.reasons import Caution, Undefined
from counterbalance.statistics.repetition import (
    ExcessDisagreement,
    RepetitionMean,
    excess_disagreement,
    modal_share,
    repeat_disagreement,
)
from counterbalance.statistics.sign_test import (
    SignScoreTest,
    SignTest,
    sign_score_test,
    sign_test,
)
from counterbalance.statistics.symmetry import bowker_test

__all__ = [
    "BinomialTest",
    "Caution",
    "ClusterEstimate",
    "CohenKappa",
    "ExcessDisagreement",
    "ExcessPermutationTest",
    "FamilyStep",
    "FamilyTest",
    "MainlandGartTest",
    "PrescottTest",
    "ProportionInterval",
    "RepetitionMean",
    "SignScoreTest",
    "SignTest",
    "SquareTableTest",
    "Undefined",
    "benjamini_hochberg",
    "bhapkar_test",
    "binomial_test",
    "bowker_test",
    "clopper_pearson_interval",
    "cluster_mean",
    "cluster_proportion",
    "cluster_ratio",
    "cohen_kappa",
    "excess_disagreement",
    "excess_permutation_test",
    "holm",
    "mainland_gart_test",
    "modal_share",
    "prescott_test",
    "proportion_interval",
    "repeat_disagreement",
    "sign_score_test",
    "sign_test",
    "stuart_maxwell_test",
    "wilson_interval",
]
