"""How the questions the rules leave open are answered here: WN-R01 to WN-R48."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["RULINGS"]

RULINGS: tuple[Rule, ...] = (
    Rule(
        "WN-R01",
        "When a turn starts",
        "Everything that lasts until somebody's next turn ends when the phase of that combatant's slot begins, no matter who of the side is picked first.",
        "ruling",
    ),
    Rule(
        "WN-R02",
        "The Main after one's own phase",
        "Whoever has kept its Main action may still spend it on a Snap Attack or Total Defense until the round ends. Everything else has to be held.",
        "ruling",
    ),
    Rule(
        "WN-R03",
        "Ties among equals",
        "Two sides of NPCs, or two player characters, keep the order of the file. Move a slot by hand if you prefer.",
        "ruling",
    ),
    Rule(
        "WN-R04",
        "First, and never surprised",
        "The two flags are separate: `auto_initiative` goes first from round 1 on, `immune_to_surprise` acts in round 0. With both kinds "
        "present in round 0, they roll for precedence.",
        "ruling",
    ),
    Rule(
        "WN-R05",
        "What the surprised can do",
        "Nothing in round 0: no actions, Instants, free attacks or screens. Their AC, saves and opposed checks count as ever.",
        "ruling",
    ),
    Rule(
        "WN-R06",
        "Tied opposed checks",
        "A player character wins against an NPC. Otherwise whoever wants to change things fails; dragging a victim and beating several "
        "holders have rules of their own.",
        "ruling",
        "opposed_ties",
    ),
    Rule(
        "WN-R07",
        "Natural 1 and 20 to attack",
        "They mean nothing special. With the switch a 20 always hits and a 1 always misses, Shock included as for other misses.",
        "ruling",
        "natural_attack",
    ),
    Rule(
        "WN-R08",
        "No negative harm",
        "Penalties bring damage and Shock down to 0 at worst, and a weapon without Shock never gains any from an attribute.",
        "ruling",
    ),
    Rule(
        "WN-R09",
        "The least a hit does",
        "Compare with the Shock this very attack would have done on a miss, AC, shield and immunity counted. A hit does not use up the shield.",
        "ruling",
    ),
    Rule(
        "WN-R10",
        "What a shield ignores",
        "The first Shock of the round that would really have hurt. What a swarm does is not Shock and leaves the shield alone.",
        "ruling",
    ),
    Rule(
        "WN-R11",
        "Size and number of swarms",
        "Four take part, the striker included, and only those still standing count. Alone, it is an ordinary attack. After the strike "
        "others may begin a new swarm.",
        "ruling",
        "swarm_size, swarms_per_target",
    ),
    Rule(
        "WN-R12",
        "The usual maximum",
        "The highest roll of the dice with all modifiers but the swarm's. Trauma multiplies afterwards.",
        "ruling",
    ),
    Rule(
        "WN-R13",
        "Prone: near or far",
        "Nearness decides: shots at a prone target next to the shooter get +2. Melee counts as near and shooting as far, unless ticked otherwise.",
        "ruling",
    ),
    Rule("WN-R14", "One-handed crossbows in melee", "They can be used, at -4; the number of hands decides.", "ruling"),
    Rule("WN-R15", "Throwing in melee, twice listed", "The penalty is -4, once.", "ruling"),
    Rule(
        "WN-R16",
        "Free attacks",
        "Every enemy the GM ticks gets one, an ordinary melee attack without cost, before the runner moves. Teeth and claws count as "
        "weapons, fists do not. Charges and screens provoke only if the GM says so.",
        "ruling",
    ),
    Rule("WN-R17", "Reach of a withdrawal", "It frees from all enemies nearby, for the rest of the round.", "ruling"),
    Rule(
        "WN-R18",
        "Charging or screening out of melee",
        "Nobody gets a free attack unless the GM names those left behind.",
        "ruling",
    ),
    Rule(
        "WN-R19",
        "What can be held",
        "Holding costs the Move and needs an unspent Main. Using that Main for a Snap Attack or Total Defense ends the held turn; a charge "
        "is out, since the Move is gone.",
        "ruling",
    ),
    Rule(
        "WN-R20",
        "Answers come first",
        "What answers an action is finished before that action goes on; if the actor drops, its action is lost with its cost. Two Instants "
        "ticked as simultaneous both start from the same situation.",
        "ruling",
    ),
    Rule(
        "WN-R21",
        "Who is asked after the roll",
        "The program stops only for those who can answer: Total Defense by the target, a Snap Attack at the attacker, a fitting "
        "Instant. By default only player characters are asked.",
        "ruling",
        "ask_instants",
    ),
    Rule("WN-R22", "No negative hit points", "Hit points stop at 0.", "ruling"),
    Rule(
        "WN-R23",
        "Subduing with a deadly weapon",
        "The program only marks it as unusual; the GM decides. Shock of such an attack subdues as well.",
        "ruling",
    ),
    Rule(
        "WN-R24",
        "Counting the rounds of the dying",
        "Death comes at the end of the sixth round after that of the fall. For treatment, a round is full once the slot in which the victim "
        "fell has come round again.",
        "ruling",
        "death_rounds",
    ),
    Rule(
        "WN-R25",
        "Open questions of grappling",
        "A grapple ends when either side of it drops. Damage at the end of the round includes modifiers, counts in the first round too, and "
        "is deadly unless said otherwise. Size hampers only whoever grapples or shoves something bigger than itself.",
        "ruling",
    ),
    Rule(
        "WN-R26",
        "Open questions of screening",
        "The count is of different attackers; each screener that rolls spends one. An attack that is caught keeps its own modifiers, loses "
        "the first target's, and is not screened again. Running or charging ends one's screen.",
        "ruling",
    ),
    Rule(
        "WN-R27",
        "When Trauma is rolled",
        "It multiplies what is left after the swarm's limit and the least damage of a hit. Blows to subdue with the body, weapons without a "
        "Trauma Die, Shock and grapples are left out.",
        "ruling",
        "trauma",
    ),
    Rule(
        "WN-R28",
        "Open questions of executions",
        "The skill of the weapon, at least 0, burdens the save. A failed shot does nothing and alerts the victim, and so does any earlier "
        "part in the fight. NPCs too are Mortally Wounded; say so if you want one dead.",
        "ruling",
    ),
    Rule(
        "WN-R29",
        "Two weapons: the fine print",
        "The -1 holds for every attack while both are in hand. Fists are no second weapon, two-handed weapons never one of the two, and "
        "NPCs need no skill level.",
        "ruling",
    ),
    Rule(
        "WN-R30",
        "Reloading without a word",
        "Where it costs nothing, weapons are loaded again as soon as they are shot in their own phase, or when the phase starts. An NPC with a "
        "skill bonus of 1 counts as practised.",
        "ruling",
    ),
    Rule("WN-R31", "What the second Move may be", "Anything that costs a Move, except to hold.", "ruling"),
    Rule("WN-R32", "Charging from the ground", "Allowed, over twice the halved rate; the GM may forbid it.", "ruling"),
    Rule(
        "WN-R33",
        "Several attacks of an NPC",
        "A note like +6 x2 gives all attacks in one Melee or Ranged Attack, each with a target named beforehand. Everything else, from Snap "
        "Attack to grapple, is a single attack.",
        "ruling",
    ),
    Rule("WN-R34", "Well-trained NPCs", "Those whose stat block says `disciplined`.", "ruling"),
    Rule("WN-R35", "NPCs in Total Defense", "Every NPC may use it, drilled or not.", "ruling"),
    Rule(
        "WN-R36",
        "Total Defense twice",
        "Refused while it still lasts: it would cost the Main and gain nothing.",
        "ruling",
    ),
    Rule(
        "WN-R37",
        "Dropping in mid-phase",
        "The rest of its turn, its screens, held turn, place in a swarm and grapples are gone. What it did to others stays.",
        "ruling",
    ),
    Rule(
        "WN-R38",
        "Whose Dexterity counts",
        "The best of everybody on the side when it rolls, able or not. NPCs bring their `init_mod`.",
        "ruling",
    ),
    Rule(
        "WN-R39",
        "One Morale roll for a group",
        "A single 2d6 is held against each member's own score. Each cause is offered once, when the phase closes.",
        "ruling",
    ),
    Rule(
        "WN-R40",
        "Shield and full hands",
        "The flag `shield` is taken as it is; nobody checks what else the hands hold. Switch it off by hand.",
        "ruling",
    ),
    Rule(
        "WN-R41",
        "Metres, feet, halves",
        "3 metres are 10 feet, 2 metres are 6. Halves round down. Half a hit die means 1d4 hit points.",
        "ruling",
    ),
    Rule(
        "WN-R42",
        "No Punch, no bonus",
        "Somebody without the skill adds 0 to unarmed damage; the lack shows in the attack roll alone.",
        "ruling",
    ),
    Rule(
        "WN-R43",
        "Turn and turn about",
        "Members of a side may interleave their actions; one may begin, wait for another and go on.",
        "ruling",
    ),
    Rule("WN-R44", "A failed shove or grapple", "Does no Shock, whatever the weapon.", "ruling"),
    Rule(
        "WN-R45",
        "The printed book differs",
        "These rules follow the reference document of the game. Where the printed book has other rules on moving away, concealment, "
        "delaying or breaking shields, they are not used.",
        "ruling",
    ),
    Rule(
        "WN-R46",
        "A side without anybody left",
        "It keeps its place in the order; its phase passes by itself.",
        "ruling",
    ),
    Rule(
        "WN-R47",
        "Instants while held or holding",
        "Allowed where their own conditions are met: Total Defense always, a Snap Attack in a grapple only with bare hands.",
        "ruling",
    ),
    Rule(
        "WN-R48",
        "Blows against the fallen",
        "Damage kills the dying and the stabilised. The unconscious suffer a deadly blow as if they fell anew and feel nothing of a blow to "
        "subdue. Falling does not make anybody prone.",
        "ruling",
    ),
)
