"""What somebody who removed the guards might do to a record, and what `verify` says of it.

The places ``{x}`` and ``{empty}`` stand for bytes in the engine's spelling.
"""

from __future__ import annotations

EDITS = {
    "text": ("UPDATE texts SET content = {x} WHERE tag = 'text/1'", "text b2:"),
    "prompt": ("UPDATE texts SET content = {empty} WHERE tag = 'prompt/1'", "text b2:"),
    "item": ("UPDATE items SET category = 'other'", "item b2:"),
    "candidate": ("UPDATE candidates SET system = 'other'", "candidate b2:"),
    "protocol": ("UPDATE revisions SET protocol = '{{}}'", "protocol: b2:"),
    "pair key": ("UPDATE pairs SET key = 'b2:0'", "its key b2:0 does not fit"),
    "pair": ("""UPDATE pairs SET reference = '{{"accepted":["b"],"source":""}}'""", "its digest"),
    "exchange": ("UPDATE pairs SET a = b, b = a", "its key"),
    "lost pair": ("DELETE FROM pairs WHERE number = 2", "pairs: the digest over all pairs"),
    "order": (
        "UPDATE presentations SET display_order = 'reversed' WHERE id = 1",
        "does not fit what it asks",
    ),
    "plan": ("DELETE FROM plan WHERE position = 7", "plan: the digest over the plan"),
    "unplanned": ("DELETE FROM plan WHERE position = 3", "no entry of the plan asks for it"),
    "other pair": ("UPDATE plan SET pair = 1 WHERE position = 0", "shows other texts than pair"),
    "attempt": ("UPDATE attempts SET outcome = 'second'", "attempt 1 does not fit its digest"),
    "reading": ("UPDATE attempts SET reading = '{{}}'", "attempt 1 does not fit its digest"),
    "call": ("DELETE FROM calls WHERE id = 1", "points to a row of calls"),
    "presentation": ("DELETE FROM presentations WHERE id = 2", "points to a row of presentations"),
    "lost prompt": ("DELETE FROM texts WHERE tag = 'prompt/1'", "its prompt is not recorded"),
    "gap": ("DELETE FROM attempts WHERE call = 1; DELETE FROM calls WHERE id = 1", "calls 1 to 1"),
    "guards": ("SELECT 1", "trigger attempts_no_delete, which keeps the record append-only"),
    "broken JSON": ("UPDATE items SET content = 'x'", "pairs: a row cannot be read"),
}
