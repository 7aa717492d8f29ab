"""The deals of a tree search: redeals, in which the others have drafted and chosen in secret as a policy does."""

from bloodrage_env.core.compile.memory_copies import copy_record
from bloodrage_env.games.bloodrage.engine import COMPILER, NONE, PLAY, Decision, chosen_at_once, step

from ....forward import Net
from ....mcts.rules import Search
from ....mcts.settings import Setting
from .drafts import resample_draft, wants_of
from .forward import FORWARD
from .leaf import LEAF
from .moves import score_moves

go_on, draw, ask_priors, only_action = PLAY.go_on, FORWARD.draw, LEAF.ask_priors, LEAF.only_action


@COMPILER.rule
def choose_in_secret(net: Net, search: Search, k: int) -> None:
    """The others draft in deal `k` as `drafts.py` has it, and choose by the policy what all choose at once with the
    observer, if that is asked.

    Those who have chosen before it choose again: in a redeal they have chosen anything, each equally likely. Those who
    would be asked after it choose now, since what it does is hidden from them. `worlds[0]` is a copy of the deal, in
    which all are asked from the beginning; the observer's choice is taken back again and again, so that the cards are
    not revealed before each of the others has chosen.
    """
    observer, settings, deals = search.observer, search.settings, search.deals
    worlds, scores, words = search.worlds, search.scores, search.words
    if settings[Setting.DRAFTS] > 0.0:
        resample_draft(deals[k], observer, wants_of(deals[k], settings[Setting.DRAFTS]), words)
    if not chosen_at_once(deals[k]):
        return
    copy_record(worlds, 0, deals[k])
    s, t = deals[k], worlds[0]
    for seat in range(t.num_players):
        t.pending[seat, :] = NONE
    t.decision = Decision.NONE
    go_on(worlds, 0, -1)
    while t.over == 0 and chosen_at_once(t):
        seat = int(t.seat)
        if seat == observer:
            step(t, only_action(t))
            if t.pending[observer, 0] == NONE:
                return
            continue
        t.pending[observer, :] = NONE
        if t.num_legal > 1 and net.width > 0:
            ask_priors(t, net, search.counters, scores)
            step(t, draw(t, scores, words))
        elif t.num_legal > 1:
            score_moves(t, search.style, settings[Setting.SHARPNESS], scores)
            step(t, draw(t, scores, words))
        else:
            step(t, only_action(t))
        s.pending[seat, :] = t.pending[seat, :]
