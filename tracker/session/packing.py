"""Packing: texts of the journal made small, so that long fights stay small.

1. A packed text begins as no JSON does, so that both stand in one column.
2. What steps often say is known beforehand (`WORDS`): a step of a line packs as well as one of a page. A packed text
   carries the checksum of these words and of its own content.
3. A text that cannot be unpacked is no JSON either: its reader says that it is damaged, and loses nothing else.
"""

from __future__ import annotations

import zlib

__all__ = ["WORDS", "pack", "unpack"]

MARK = b"x"
"""The first byte of what zlib packs with its usual window."""
LEVEL, QUICK = 6, 3
"""How hard texts are packed, and long ones: a step of a kilobyte takes 30 microseconds, one of 60 a tenth of a ms."""
LONG = 1 << 14
"""Bytes of a text that is packed quickly: it says much the same many times."""
MOST = 1 << 27
"""Bytes a text may have: a few make as many as one likes."""
DAMAGED = b"damaged"

WORDS = b"".join(
    (
        b'{"type":"At","edge":"round_end","anchor":"any","count":1,"phase":null,"segment":null}[',
        b'{"event":{"type":"EffectEnded","was":{"name":"',
        b'{"event":{"type":"EffectAdded","effect":{"name":"","bearer":"","id":1,"source":null,"until":[],',
        b'"modifiers":[],"data":null,"parent":null,"stacking":"replace","secret":false,"title":"","rule":"",',
        b'"born":[1,"r1/{"event":{"type":"StatusChanged","who":"","was":"up","now":"down"},"rules":[]},',
        b'{"event":{"type":"Moved","who":"","was":[1,1],"now":[2,1],"path":[]},"rules":[]},',
        b'{"event":{"type":"Decided","key":"","answer":"no","who":"","why":"","secret":false},"rules":["',
        b'{"event":{"type":"Checked","what":"","who":"","total":10,"result":"failure","target":"","parts":[],',
        b'"against":10,"against_what":"","against_parts":[]},"rules":[]},',
        b'{"event":{"type":"Rolled","key":"","dice":"1d20","total":10,"faces":[10],"who":"","why":"",',
        b'"typed":false,"secret":false},"rules":[]},',
        b'{"event":{"type":"FactSet","owner":"fight","key":"","was":null,"now":',
        b'{"event":{"type":"TurnOpened","was":null,"now":"{"event":{"type":"SlotReached","was":null,"now":"r1/',
        b'{"event":{"type":"Skipped","what":"","why":"nobody here can act","who":null},"rules":[]},',
        b'{"event":{"type":"OrderSet","was":[],"now":[{"id":"","title":"","phase":"side:","segment":null,',
        b'"members":["","side":"","stop":true,"turns":"shared","stage":"round","info":"","data":null},',
        b'{"event":{"type":"BudgetsChanged","changes":[{"who":"","was":[["main",1],["move",1]],"now":[["main",1],',
        b'["move",0]]},',
        b'{"event":{"type":"BoundaryCrossed","boundary":{"edge":"round_start","round":1,"phase":"","segment":null,',
        b'"slot":"","actors":[],"sides":[],"seconds":0}},"rules":[]},',
        b'{"event":{"type":"BoundaryCrossed","boundary":{"edge":"phase_start","round":1,"phase":"side:',
        b'{"event":{"type":"BoundaryCrossed","boundary":{"edge":"phase_end","round":1,"phase":"side:',
        b'{"event":{"type":"BoundaryCrossed","boundary":{"edge":"turn_start","round":1,"phase":"side:',
        b'{"event":{"type":"BoundaryCrossed","boundary":{"edge":"turn_end","round":1,"phase":"side:","actors":["",',
        b'"sides":["","seconds":0}},"rules":[]},',
        b'{"event":{"type":"Noted","text":"","about":null,"keep":true},"rules":[]}]',
        b'{"event":{"type":"PoolChanged","who":"","pool":"hp","was":1,"now":0,"parts":[],"why":"","source":null},',
        b'"rules":[]}]',
        b'{"kind":"advance","actions":[],"encounter":null,"to":"","forced":false,"interrupts":[],"overrides":[]}[]',
        b'[{"event":{"type":"ActionTaken","action":{"type":"Action","key":"next","by":null,"fields":[]},',
        b'"label":"Next"},"rules":[]},',
        b'{"kind":"do","actions":[{"type":"Action","key":"note","by":null,"fields":[["text",,"fields":[["amount",',
        b'1],["halved",[]],["pool","hp"],["shares",[]],["targets",["]]]},"label":"Damage"},"rules":["]},',
        b'{"event":{"type":"]]]}],"encounter":null,"to":"","forced":false,"interrupts":[],"overrides":[]}[][',
        b'{"event":{"type":"ActionTaken","action":{"type":"Action","key":"","by":null,"fields":[["about",null],',
        b'["text",',
    )
)
"""What steps often say, the most frequent last. To change a byte of it is a new format of the journal."""


def pack(text: bytes, words: bytes = WORDS) -> bytes:
    """Return a text packed.

    It stays as it is where that is no smaller, or where it is too long to be unpacked.
    """
    if len(text) > MOST:
        return text
    packing = zlib.compressobj(LEVEL if len(text) < LONG else QUICK, zdict=words)
    packed = packing.compress(text) + packing.flush()
    return packed if len(packed) < len(text) else text


def unpack(text: bytes, words: bytes = WORDS) -> bytes:
    """Return a text as it was before it was packed.

    One that was not packed is returned as it is, one that is damaged as no JSON.
    """
    if text[:1] != MARK:
        return text
    unpacking = zlib.decompressobj(zdict=words)
    try:
        whole = unpacking.decompress(text, MOST)
    except zlib.error:
        return DAMAGED
    return whole if unpacking.eof else DAMAGED
