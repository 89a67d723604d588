"""Applies patches to the defaults of options, before any option is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.rules.linking.compose.patch_precedence import Claim, Ranks
from tilewright.rules.linking.game import AppliedPatch
from tilewright.rules.model.ruleset import OptionDecl, Ruleset, place_in


def with_defaults(
    rulesets: tuple[Ruleset, ...],
    below: Mapping[str, frozenset[str]],
    present: frozenset[str],
    reporter: Reporter,
) -> tuple[tuple[Ruleset, ...], tuple[AppliedPatch, ...]]:
    """The rulesets with the defaults that patches give their options, and those patches.

    `present` holds the ids and roles that `with` may name.
    """
    claims: dict[str, list[Claim]] = {}
    for ruleset in rulesets:
        for patch in ruleset.patches:
            if patch.kind == "option" and all(other.id in present for other in patch.with_):
                claims.setdefault(patch.target, []).append(Claim(patch, ruleset.id))
    if not claims:
        return rulesets, ()
    ranks = Ranks(rulesets, below)
    declared = {o.id: o for r in rulesets for o in r.module.options}
    done: list[AppliedPatch] = []
    for name, patches in sorted(claims.items()):
        if ranks.disputed(patches, reporter):
            continue
        for claim in ranks.ordered(patches)[0]:
            patch, option = claim.patch, declared.get(name)
            if option is None:
                message = f"unknown option `{name}` to set{did_you_mean(name, declared)}"
                reporter.error("TW707", message, place_in(patch, patch.verb))
            elif patch.to not in option.choices:
                choices = ", ".join(f"`{c}`" for c in option.choices)
                message = f"option `{name}` is one of {choices}, not `{patch.to}`"
                near = did_you_mean(patch.to, option.choices)
                reporter.error("TW705", message + near, place_in(patch, "to"))
            elif patch.expect not in (None, option.default):
                message = f"`{patch.changes}` is not what this patch expects"
                message += f": it is `{option.default}`"
                reporter.error("TW709", message, place_in(patch, "expect"))
            elif patch.to == option.default and claim in ranks.live(patches):
                if not any(d.patch.target == name for d in done):
                    message = f"this patch changes nothing: `{patch.changes}` is {patch.to} already"
                    reporter.error("TW708", message, place_in(patch, "to"))
            else:
                done.append(AppliedPatch(patch, claim.ruleset, option.default, patch.to))
                declared[name] = replace(option, default=patch.to)
    options = (tuple(declared[o.id] for o in r.module.options) for r in rulesets)
    return tuple(map(_with_options, rulesets, options)), tuple(done)


def _with_options(ruleset: Ruleset, options: tuple[OptionDecl, ...]) -> Ruleset:
    if options == ruleset.module.options:
        return ruleset
    return replace(ruleset, module=replace(ruleset.module, options=options))
