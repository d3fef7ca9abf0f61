"""The common actions: WN-041 to WN-100."""

from __future__ import annotations

from tracker.core.terms.rulebook import Rule

__all__ = ["ACTIONS"]

ACTIONS: tuple[Rule, ...] = (
    Rule(
        "WN-041",
        "Other actions",
        "The list of actions is not complete. Use `other` for the rest: choose its cost and write down what is done.",
        "option",
    ),
    Rule("WN-042", "Melee Attack", "Main action: strike somebody within reach with a weapon or bare hands."),
    Rule(
        "WN-043",
        "Skill of a melee attack",
        "Blows with the body use Punch, weapons use Stab, unless the weapon names its skill.",
    ),
    Rule("WN-044", "Ranged Attack", "Main action: shoot a bow or crossbow, or throw something."),
    Rule(
        "WN-045",
        "Skill of a ranged attack",
        "Shooting takes Shoot. For throws Stab or Exert will do as well; the form starts with the best of the three.",
        "option",
    ),
    Rule(
        "WN-046",
        "Shooting under pressure",
        "With an attacker in melee range, throwing and one-handed shooting suffer -4. Tick `in_melee`.",
        "option",
    ),
    Rule(
        "WN-047",
        "No bow in a scuffle",
        "A two-handed ranged weapon cannot be used while an enemy attacker is in melee range.",
    ),
    Rule("WN-048", "Snap Attack", "Instant: sacrifice the Main action for one melee or ranged attack at -4."),
    Rule("WN-049", "Snap Attacks out of turn", "A Snap Attack does not wait for one's own phase."),
    Rule(
        "WN-050",
        "A Snap Attack needs the Main",
        "Somebody whose Main action is already spent this round has nothing left to snap with.",
    ),
    Rule("WN-051", "Snap Attacks by NPCs", "Of the NPCs only drilled fighters manage it: those with `disciplined`."),
    Rule(
        "WN-052",
        "Swarm Attack",
        "Main action: single out an enemy one's weapon can reach. Allies may join against the same enemy in this round, four assailants in all.",
    ),
    Rule(
        "WN-053",
        "Striking as a swarm",
        "At the latest when the swarm is full, one of its members makes the one attack, melee or ranged. Nobody has to wait until then.",
        "ask",
    ),
    Rule("WN-054", "To hit as a swarm", "The strike has +2 for every assailant besides the striker, up to +6."),
    Rule("WN-055", "Damage as a swarm", "The strike does +1 for every assailant besides the striker, up to +3."),
    Rule("WN-056", "Swarms and the size of Shock", "The swarm's extra damage does not make the Shock bigger."),
    Rule(
        "WN-057",
        "Swarms and maximum damage",
        "The extra damage cannot carry the result over what the attack could do at best without it.",
    ),
    Rule(
        "WN-058",
        "Swarms always shock",
        "A swarm's miss does its weapon's Shock whatever the target's AC, shield or Shock immunity.",
    ),
    Rule(
        "WN-059",
        "Not truly Shock",
        "What gets through is the danger of being surrounded, which is why ordinary protection against Shock is no use and a shield is not used up.",
    ),
    Rule("WN-060", "Charge", "Costs Main and Move together."),
    Rule(
        "WN-061",
        "How far a charge goes",
        "A charge runs straight for up to double the movement rate. The form checks the typed distance, the GM the line.",
    ),
    Rule("WN-062", "The blow of a charge", "It ends in a melee or thrown attack with +2 to hit."),
    Rule("WN-063", "Run-up", "Less than 3 metres (10 feet) is no charge and is refused."),
    Rule("WN-064", "Open after a charge", "Until the round is over the charger's Melee and Ranged AC are 2 worse."),
    Rule("WN-065", "Screen an Ally", "Move action: walk up to the normal rate to an ally and stay by its side."),
    Rule(
        "WN-066",
        "How long a screen lasts",
        "Attacks on the protected ally have to get past the screener until the screener's next turn begins.",
    ),
    Rule(
        "WN-067",
        "Stay close",
        "The protected ally has to remain within 3 metres. There is no map: untick the screen or end it if they part.",
        "option",
    ),
    Rule(
        "WN-068",
        "Getting past a screen",
        "The attacker makes an opposed check with its combat skill and Strength or Dexterity against the screener.",
    ),
    Rule("WN-069", "Past the screen", "If the attacker wins the check, the attack goes on as intended."),
    Rule("WN-070", "Caught by the screen", "If the screener wins the check, it becomes the target of the attack."),
    Rule(
        "WN-071",
        "How many a screen stops",
        "In one round a screener can stand in the way of as many attackers as its best combat skill has levels.",
    ),
    Rule(
        "WN-072",
        "Skill for a screen",
        "With a best combat skill of 0 or less nobody can be stopped, so screening is refused.",
    ),
    Rule(
        "WN-073",
        "Several screeners",
        "One roll of the attacker is compared with everybody who screens the target. Of those that win, the one with the lowest total is hit at.",
    ),
    Rule(
        "WN-074",
        "What a screen cannot stop",
        "Only what a body or a blade can stop is screened. Untick the screen for the rest.",
        "option",
    ),
    Rule("WN-075", "Total Defense", "Instant: give up the Main action to do nothing but avoid harm."),
    Rule(
        "WN-076",
        "AC in Total Defense",
        "Both ACs are 2 better until the defender's next turn begins. Used after an attack roll, the total is compared anew.",
    ),
    Rule(
        "WN-077",
        "No Shock in Total Defense",
        "For the same time no Shock touches the defender, that of a swarm included.",
    ),
    Rule("WN-078", "Total Defense needs the Main", "It is refused to whoever has spent the Main action this round."),
    Rule("WN-079", "Run", "Move action: cover the normal movement rate, 30 feet for a human."),
    Rule(
        "WN-080",
        "Free attacks on a runner",
        "Whoever sets out next to an enemy armed for melee gives that enemy a free melee attack. The form lists the enemies it seems to be fighting.",
        "ask",
    ),
    Rule("WN-081", "Leaving safely", "After a Fighting Withdrawal a Run provokes nothing."),
    Rule(
        "WN-082",
        "Fighting Withdrawal",
        "Main action: break away from adjacent fighters so that the move that follows is safe.",
    ),
    Rule(
        "WN-083",
        "Withdraw, then move",
        "The withdrawal itself covers no ground, and it protects for this round only. Those who stay put are back in melee.",
    ),
    Rule(
        "WN-084",
        "Use a Skill",
        "Main action: anything a skill can do in six seconds, such as first aid or an offer of terms. Name skill, attribute and difficulty.",
        "option",
    ),
    Rule(
        "WN-085",
        "Ready or Stow an Item",
        "Main action: get something out of the pack or into it. What anybody carries is not counted here.",
    ),
    Rule("WN-086", "Sheathe", "Putting a readied weapon back to the belt is free; the GM draws the line at juggling."),
    Rule("WN-087", "Reload", "Loading a crossbow takes the Main action and a case of quarrels at hand."),
    Rule(
        "WN-088",
        "Practised reloading",
        "With Shoot 1 or better, bow and crossbow are reloaded as an On Turn action. The program does it at once.",
    ),
    Rule("WN-089", "Nocking an arrow", "Without Shoot 1 the next arrow takes a Move action."),
    Rule("WN-090", "Drop an Item", "Instant, free, at any time: open the hand."),
    Rule("WN-091", "Pick up an Item", "Move action: take something within reach off the ground, ready for use."),
    Rule("WN-092", "Stand Up", "Move action: get up from prone."),
    Rule("WN-093", "Gathering up on the way", "Getting up includes taking along what one has dropped."),
    Rule("WN-094", "Go Prone", "On Turn action: drop to the ground."),
    Rule(
        "WN-095",
        "Attacks on the prone",
        "Somebody lying down is harder to shoot (-2) and easier to hit from close by (+2).",
    ),
    Rule("WN-096", "Crawling", "A prone combatant moves at half its rate."),
    Rule("WN-097", "Hold an Action", "Move action: wait for a better moment."),
    Rule(
        "WN-098", "The held turn", "Whatever else the turn had to offer can be used later in the round, as an Instant."
    ),
    Rule("WN-099", "Waiting in vain", "What is still held when the round ends is gone."),
    Rule(
        "WN-100", "Held actions go first", "Triggered by somebody else's action, the held one is carried out before it."
    ),
)
