"""Textbook statistics: numbers in, frozen result out; no word of the product in here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from counterbalance.statistics.agreement import CohenKappa, cohen_kappa
from counterbalance.statistics.allocation import Allocation, Costs, Design, Spread, best_allocation
from counterbalance.statistics.anchor import AnchorTest, anchor_test
from counterbalance.statistics.binomial import BinomialTest, binomial_test
from counterbalance.statistics.chance_corrected import PanelAgreement
from counterbalance.statistics.cluster_bootstrap import (
    ClusterBootstrap,
    bootstrap_ratio,
    bootstrap_ratio_difference,
)
from counterbalance.statistics.cluster_difference import ClusterDifference, cluster_difference
from counterbalance.statistics.clustered import ClusterEstimate, cluster_mean, cluster_ratio
from counterbalance.statistics.clustered_proportion import cluster_proportion
from counterbalance.statistics.clustered_sign import cluster_sign_mean
from counterbalance.statistics.coefficients import Coefficient
from counterbalance.statistics.crossover import MainlandGartTest, mainland_gart_test
from counterbalance.statistics.dawid_skene import DawidSkene, dawid_skene
from counterbalance.statistics.kappa_bootstrap import bootstrap_kappa
from counterbalance.statistics.marginal_homogeneity import (
    SquareTableTest,
    bhapkar_test,
    stuart_maxwell_test,
)
from counterbalance.statistics.margins import MarginDecision, MarginPlace, decide_margin
from counterbalance.statistics.mcnemar import McNemarMethod, McNemarTest, mcnemar_test
from counterbalance.statistics.mcnemar_planning import (
    McNemarPlan,
    mcnemar_detectable_difference,
    mcnemar_sample_size,
)
from counterbalance.statistics.mcnemar_power import (
    LeastSignificant,
    McNemarPower,
    mcnemar_least_significant,
    mcnemar_power,
)
from counterbalance.statistics.mean_planning import (
    MeanPlan,
    mean_detectable_difference,
    mean_sample_size,
)
from counterbalance.statistics.mirrored import (
    ApartEffects,
    Contrast,
    MirroredEffects,
    mirrored_effects,
    mirrored_effects_apart,
)
from counterbalance.statistics.misclassification import RoganGladen, rogan_gladen
from counterbalance.statistics.multiplicity import FamilyStep, FamilyTest, benjamini_hochberg, holm
from counterbalance.statistics.paired_difference import PairedDifference, paired_difference
from counterbalance.statistics.paired_interval import (
    PairedInterval,
    newcombe_interval,
    tango_interval,
)
from counterbalance.statistics.paired_means import (
    PairedMeanDifference,
    paired_mean_difference,
)
from counterbalance.statistics.panel_agreement import fleiss_kappa, gwet_ac1, krippendorff_alpha
from counterbalance.statistics.permutation import ExcessPermutationTest, excess_permutation_test
from counterbalance.statistics.prediction_powered import (
    PredictionPoweredMean,
    prediction_powered_mean,
)
from counterbalance.statistics.prescott import PrescottTest, prescott_test
from counterbalance.statistics.proportions import (
    ProportionInterval,
    clopper_pearson_interval,
    proportion_interval,
    wilson_interval,
)
from counterbalance.statistics.rater_agreement import (
    RaterAgreement,
    RaterPair,
    TwoRaterAgreement,
    rater_agreement,
    two_rater_agreement,
)
from counterbalance.statistics.reasons import Caution, Undefined
from counterbalance.statistics.repetition import (
    ExcessDisagreement,
    RepetitionMean,
    excess_disagreement,
    modal_share,
    repeat_disagreement,
)
from counterbalance.statistics.sign_test import SignScoreTest, SignTest, sign_score_test, sign_test
from counterbalance.statistics.symmetry import bowker_test
from counterbalance.statistics.tie_rule import (
    TieRuleBounds,
    TieRuleEffect,
    tie_rule_bounds,
    tie_rule_effect,
)
from counterbalance.statistics.variance_components import (
    VarianceComponent,
    VarianceComponents,
    variance_components,
)

if TYPE_CHECKING:
    from counterbalance.statistics.bradley_terry import ControlledStrengths, controlled_strengths
    from counterbalance.statistics.cross_validation import (
        CalibrationBin,
        HeldOutFit,
        held_out_fit,
    )
    from counterbalance.statistics.difficulty import (
        JointDifficulty,
        SaturatedDifferences,
        joint_difficulty,
        saturated_differences,
    )
    from counterbalance.statistics.feature_control import (
        ControlledPreference,
        controlled_preference,
    )
    from counterbalance.statistics.logit import ClusterLogit, cluster_logit
    from counterbalance.statistics.other_ease import ease_by_others
    from counterbalance.statistics.paired_strengths import DavidsonBeaver, davidson_beaver
    from counterbalance.statistics.random_intercepts import GroupSpread, MixedLogit, mixed_logit

__all__ = [
    "Allocation",
    "AnchorTest",
    "ApartEffects",
    "BinomialTest",
    "CalibrationBin",
    "Caution",
    "ClusterBootstrap",
    "ClusterDifference",
    "ClusterEstimate",
    "ClusterLogit",
    "Coefficient",
    "CohenKappa",
    "Contrast",
    "ControlledPreference",
    "ControlledStrengths",
    "Costs",
    "DavidsonBeaver",
    "DawidSkene",
    "Design",
    "ExcessDisagreement",
    "ExcessPermutationTest",
    "FamilyStep",
    "FamilyTest",
    "GroupSpread",
    "HeldOutFit",
    "JointDifficulty",
    "LeastSignificant",
    "MainlandGartTest",
    "MarginDecision",
    "MarginPlace",
    "McNemarMethod",
    "McNemarPlan",
    "McNemarPower",
    "McNemarTest",
    "MeanPlan",
    "MirroredEffects",
    "MixedLogit",
    "PairedDifference",
    "PairedInterval",
    "PairedMeanDifference",
    "PanelAgreement",
    "PredictionPoweredMean",
    "PrescottTest",
    "ProportionInterval",
    "RaterAgreement",
    "RaterPair",
    "RepetitionMean",
    "RoganGladen",
    "SaturatedDifferences",
    "SignScoreTest",
    "SignTest",
    "Spread",
    "SquareTableTest",
    "TieRuleBounds",
    "TieRuleEffect",
    "TwoRaterAgreement",
    "Undefined",
    "VarianceComponent",
    "VarianceComponents",
    "anchor_test",
    "benjamini_hochberg",
    "best_allocation",
    "bhapkar_test",
    "binomial_test",
    "bootstrap_kappa",
    "bootstrap_ratio",
    "bootstrap_ratio_difference",
    "bowker_test",
    "clopper_pearson_interval",
    "cluster_difference",
    "cluster_logit",
    "cluster_mean",
    "cluster_proportion",
    "cluster_ratio",
    "cluster_sign_mean",
    "cohen_kappa",
    "controlled_preference",
    "controlled_strengths",
    "davidson_beaver",
    "dawid_skene",
    "decide_margin",
    "ease_by_others",
    "excess_disagreement",
    "excess_permutation_test",
    "fleiss_kappa",
    "gwet_ac1",
    "held_out_fit",
    "holm",
    "joint_difficulty",
    "krippendorff_alpha",
    "mainland_gart_test",
    "mcnemar_detectable_difference",
    "mcnemar_least_significant",
    "mcnemar_power",
    "mcnemar_sample_size",
    "mcnemar_test",
    "mean_detectable_difference",
    "mean_sample_size",
    "mirrored_effects",
    "mirrored_effects_apart",
    "mixed_logit",
    "modal_share",
    "newcombe_interval",
    "paired_difference",
    "paired_mean_difference",
    "prediction_powered_mean",
    "prescott_test",
    "proportion_interval",
    "rater_agreement",
    "repeat_disagreement",
    "rogan_gladen",
    "saturated_differences",
    "sign_score_test",
    "sign_test",
    "stuart_maxwell_test",
    "tango_interval",
    "tie_rule_bounds",
    "tie_rule_effect",
    "two_rater_agreement",
    "variance_components",
    "wilson_interval",
]

_FITTED = {
    "CalibrationBin": "cross_validation",
    "ClusterLogit": "logit",
    "ControlledPreference": "feature_control",
    "ControlledStrengths": "bradley_terry",
    "DavidsonBeaver": "paired_strengths",
    "GroupSpread": "random_intercepts",
    "HeldOutFit": "cross_validation",
    "JointDifficulty": "difficulty",
    "MixedLogit": "random_intercepts",
    "SaturatedDifferences": "difficulty",
    "cluster_logit": "logit",
    "controlled_preference": "feature_control",
    "controlled_strengths": "bradley_terry",
    "davidson_beaver": "paired_strengths",
    "ease_by_others": "other_ease",
    "held_out_fit": "cross_validation",
    "joint_difficulty": "difficulty",
    "mixed_logit": "random_intercepts",
    "saturated_differences": "difficulty",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (whatever the name stands for)
    # Models load an optimiser, which takes longer than all else here; imported when asked for.
    if name in _FITTED:
        return getattr(import_module(f"counterbalance.statistics.{_FITTED[name]}"), name)
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
