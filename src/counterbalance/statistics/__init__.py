"""Textbook statistics: numbers in, frozen result out; no word of the product in here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from counterbalance.statistics.agreement import CohenKappa, cohen_kappa
from counterbalance.statistics.allocation import Allocation, Costs, Design, Spread, best_allocation
from counterbalance.statistics.binomial import BinomialTest, binomial_test
from counterbalance.statistics.chance_corrected import PanelAgreement
from counterbalance.statistics.clustered import ClusterEstimate, cluster_mean, cluster_ratio
from counterbalance.statistics.clustered_proportion import cluster_proportion
from counterbalance.statistics.coefficients import Coefficient
from counterbalance.statistics.dawid_skene import DawidSkene, dawid_skene
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
from counterbalance.statistics.mcnemar_tables import McNemarMethod
from counterbalance.statistics.misclassification import RoganGladen, rogan_gladen
from counterbalance.statistics.multiplicity import (
    FamilyStep,
    FamilyTest,
    benjamini_hochberg,
    holm,
)
from counterbalance.statistics.panel_agreement import fleiss_kappa, gwet_ac1, krippendorff_alpha
from counterbalance.statistics.permutation import ExcessPermutationTest, excess_permutation_test
from counterbalance.statistics.prediction_powered import (
    PredictionPoweredMean,
    prediction_powered_mean,
)
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
from counterbalance.statistics.sign_test import (
    SignScoreTest,
    SignTest,
    sign_score_test,
    sign_test,
)
from counterbalance.statistics.variance_components import (
    VarianceComponent,
    VarianceComponents,
    variance_components,
)

if TYPE_CHECKING:
    from counterbalance.statistics.controlled_preference import (
        ControlledPreference,
        controlled_preference,
    )
    from counterbalance.statistics.davidson_beaver import DavidsonBeaver, davidson_beaver
    from counterbalance.statistics.difficulty import (
        JointDifficulty,
        SaturatedDifferences,
        joint_difficulty,
        saturated_differences,
    )
    from counterbalance.statistics.logit import ClusterLogit, cluster_logit
    from counterbalance.statistics.mixed_logit import GroupSpread, MixedLogit, mixed_logit

__all__ = [
    "Allocation",
    "BinomialTest",
    "Caution",
    "ClusterEstimate",
    "ClusterLogit",
    "Coefficient",
    "CohenKappa",
    "ControlledPreference",
    "Costs",
    "DavidsonBeaver",
    "DawidSkene",
    "Design",
    "ExcessDisagreement",
    "ExcessPermutationTest",
    "FamilyStep",
    "FamilyTest",
    "GroupSpread",
    "JointDifficulty",
    "LeastSignificant",
    "McNemarMethod",
    "McNemarPlan",
    "McNemarPower",
    "MixedLogit",
    "PanelAgreement",
    "PredictionPoweredMean",
    "ProportionInterval",
    "RaterAgreement",
    "RaterPair",
    "RepetitionMean",
    "RoganGladen",
    "SaturatedDifferences",
    "SignScoreTest",
    "SignTest",
    "Spread",
    "TwoRaterAgreement",
    "Undefined",
    "VarianceComponent",
    "VarianceComponents",
    "benjamini_hochberg",
    "best_allocation",
    "binomial_test",
    "clopper_pearson_interval",
    "cluster_logit",
    "cluster_mean",
    "cluster_proportion",
    "cluster_ratio",
    "cohen_kappa",
    "controlled_preference",
    "davidson_beaver",
    "dawid_skene",
    "excess_disagreement",
    "excess_permutation_test",
    "fleiss_kappa",
    "gwet_ac1",
    "holm",
    "joint_difficulty",
    "krippendorff_alpha",
    "mcnemar_detectable_difference",
    "mcnemar_least_significant",
    "mcnemar_power",
    "mcnemar_sample_size",
    "mixed_logit",
    "modal_share",
    "prediction_powered_mean",
    "proportion_interval",
    "rater_agreement",
    "repeat_disagreement",
    "rogan_gladen",
    "saturated_differences",
    "sign_score_test",
    "sign_test",
    "two_rater_agreement",
    "variance_components",
    "wilson_interval",
]

_FITTED = {
    "ClusterLogit": "logit",
    "ControlledPreference": "controlled_preference",
    "DavidsonBeaver": "davidson_beaver",
    "GroupSpread": "mixed_logit",
    "JointDifficulty": "difficulty",
    "MixedLogit": "mixed_logit",
    "SaturatedDifferences": "difficulty",
    "cluster_logit": "logit",
    "controlled_preference": "controlled_preference",
    "davidson_beaver": "davidson_beaver",
    "joint_difficulty": "difficulty",
    "mixed_logit": "mixed_logit",
    "saturated_differences": "difficulty",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (whatever the name stands for)
    # Models load an optimiser, which takes longer than all else here; imported when asked for.
    if name in _FITTED:
        return getattr(import_module(f"counterbalance.statistics.{_FITTED[name]}"), name)
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
