"""Every place where a card or a god may bend a rule, once, in the order in which a game meets them.

The chapters in `rules/` call these as `hooks.name`, and name none. A plain number of a card text is a column of
`cards.csv` (`Effect`). What a card asks, and what its answers do, is a file in `effects/`; whether it asks is said
here.
"""

from .ages import (
    doomed_province,
    end_glory,
    quest_times,
    ragnarok_times,
    release_glory,
)
from .battle import (
    BUY_BACK_PRICE,
    MYSTIC_GLORY,
    after_battle,
    after_reveal,
    attended_glory,
    battle_destroys,
    copies_best_card,
    losers_gain_axes,
    may_bless,
    may_buy_back,
    may_count_quest,
    quest_value,
    slaughter_glory,
    steals_cards,
    text_number,
    texts_destroy,
    winner_enemy_glory,
    winner_glory,
    winner_keeps_cards,
)
from .deaths import (
    KILLERS,
    SAVE_PRICE,
    may_escape,
    may_save,
    may_withdraw,
    ship_glory,
)
from .figures import (
    BY_PLACE,
    invade_price,
    is_leader,
    is_monster,
    is_mystic,
    is_ship,
    may_invade_yggdrasil,
    pair_strength,
    printed_strength,
    strength,
    strength_by_kind,
)
from .pillage import (
    ALL_STATS,
    ask_leader_move,
    leader_number,
    stats_of_text,
    token_times,
)
from .turn import (
    CHALLENGE_PRICE,
    FREE_PILLAGE_PRICE,
    RAISE_DEAD_PRICE,
    ask_follower,
    ask_free_pillage,
    begin_raise_dead,
    begin_sacrifice,
    begin_take_village,
    dies_on_arrival,
    kills_on_arrival,
    may_pillage_again,
    may_pillage_freely,
    may_raise_dead,
    may_sacrifice,
    may_succor,
    may_take_village,
    next_victim,
    pillage_price,
    upgrade_price,
)
