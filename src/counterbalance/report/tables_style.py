"""The style sheet of the audit page: light and dark, no colour that carries meaning alone."""

from __future__ import annotations

__all__ = ["STYLE"]

STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --paper: #fff; --faint: #5b646d;
  --line: #d5dade; --bad: #b3261e; --bad-bg: #fbe9e7; --good: #17693a; --good-bg: #e7f4ec;
  --open: #6b5900; --open-bg: #f7f1d8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --paper: #14171a; --faint: #a3adb6;
  --line: #353c43; --bad: #ff8a80; --bad-bg: #3a1a18; --good: #7fd8a2; --good-bg: #14301f;
  --open: #e6cf6b; --open-bg: #322c10; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 0; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 1.75rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0 0 .25rem; }
summary h2 { display: inline; }
summary { margin: 1.25rem 0 .5rem; cursor: pointer; }
.source { color: var(--faint); margin: 0 0 1rem; }
.headline { font-size: 1.05rem; }
svg { width: 100%; height: auto; }
svg text { fill: var(--ink); text-anchor: middle; font-size: 15px; }
svg .tally { font-size: 14px; }
svg .link { stroke-width: 2; }
svg .link.inconsistent { fill: var(--bad-bg); stroke: var(--bad); stroke-width: 3; }
svg .link.consistent { fill: var(--good-bg); stroke: var(--good); }
svg .link.cannot_be_checked { fill: var(--open-bg); stroke: var(--open); stroke-dasharray: 6 4; }
svg .joint { stroke: var(--faint); stroke-width: 3; }
svg .joint.broken { stroke: var(--bad); stroke-dasharray: 3 7; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .55rem; text-align: left; }
td.inconsistent, td.consistent, td.cannot_be_checked { text-align: center; font-weight: 600; }
td.inconsistent { color: var(--bad); background: var(--bad-bg); }
td.consistent { color: var(--good); }
td.cannot_be_checked { color: var(--open); }
section { border-left: 4px solid var(--line); padding: .4rem 0 .4rem .8rem; margin: 0 0 .9rem; }
section.inconsistent { border-color: var(--bad); }
section.consistent { border-color: var(--good); }
section.cannot_be_checked { border-color: var(--open); }
section p { margin: 0 0 .3rem; }
dl { display: grid; grid-template-columns: 5rem 1fr; gap: .1rem .6rem; margin: 0;
  font-size: .9rem; color: var(--faint); overflow-wrap: anywhere; }
dd { margin: 0; }
"""
