"""`bloodrage demo`: prints a game between agents."""

import argparse

from bloodrage_agents import registry
from bloodrage_agents.opponents import everybody, opponent

from .. import games
from ..arguments import OPTIONS, add_colour, add_game, check_output
from ..language import transcript
from ..terminal.text import print_events, result, save_replay, wants_colour
from .replay import save_page, save_talk


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """Add the options."""
    add_game(parser, game)
    games.game(game).options.add_arguments(parser)
    OPTIONS.add(parser, "--seed", default=1)
    default = ",".join(registry.demo(game, games.game(game).max_seats))
    parser.add_argument(
        "--agents",
        metavar="SPEC[,SPEC...]",
        help=f"the agents: one for all seats, or one for each seat (the first of {default})",
    )
    parser.add_argument("--quiet", action="store_true", help="print the result only")
    OPTIONS.add(parser, "--html", "--save")
    add_colour(parser)


def run(args: argparse.Namespace) -> int:
    """Play a game and print its events. A game in which an agent fails is not saved."""
    check_output(args.save)
    check_output(args.html, args.save)
    colour = wants_colour(args.colour)
    play, shown = games.game(args.game).play, games.presentation(args.game)
    options = games.game(args.game).options.from_arguments(args)
    specs = everybody(args.agents, options)
    agents = [opponent(spec, seat, args.seed, options) for seat, spec in enumerate(specs)]
    game = games.recorder(options, args.seed, specs)
    if not args.quiet:
        print_events(shown.opening_events(game.states, None), shown, colour)
    while not play.is_over(game.states, 0):
        before = play.clone(game.states, 0)
        agent = agents[play.seat_to_act(before, 0)]
        agent.catch_up(game.replay())
        action = agent(before)
        game.apply(action)
        if not args.quiet:
            print_events(shown.events(before, action, None), shown, colour)
    if not args.quiet:
        print(f"\n{shown.board_text(game.states, 0, None, colour).rpartition(chr(10) * 2)[0]}\n")
    print(result(game.states, shown, colour))
    print(f"Seed {args.seed}, {len(game.actions)} decisions of {', '.join(specs)}.")
    talk = transcript.of_agents(each.agent for each in agents)
    if args.save:
        save_replay(game.replay(), args.save)
        save_talk(talk, args.save)
    if args.html:
        save_page(game.replay(), args.html, talk=talk)
    return 0
