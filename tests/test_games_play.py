"""Tests of games where a click opens a cell: on a painted site that goes wrong as pages do, and without a screen. No
click may ever land on a mine but a guess that was told."""

from __future__ import annotations

import contextlib
import dataclasses
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest
import toys

from autosolve import bot, errors
from autosolve.board.puzzle import Totals
from autosolve.board.shape import Cell, CellSet, Shape, cell_set, cells_in
from autosolve.bot import GameTold, Lap, Outcome, Result, Style
from autosolve.bot.blind import play_blind
from autosolve.bot.think import first_cell, think
from autosolve.clicks.plan import Click, Purpose, advance, chosen
from autosolve.desktop.fake import FakeSite
from autosolve.generate.deal import SplitMix64, deal
from autosolve.generate.game import Field, Game, State
from autosolve.kernels.game import FirstClick
from autosolve.solver.guess import Policy
from autosolve.vision.frame import Box, Frame, Monitor, Point
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Play, Profile, Symbol, load
from autosolve.vision.read import Reading

MARKS = MappingProxyType({"right": (Symbol.COVERED, Symbol.FLAG)})
QUESTIONS = MappingProxyType({"right": (Symbol.COVERED, Symbol.FLAG, Symbol.QUESTION)})
RULES = {"safe": FirstClick.SAFE, "opening": FirstClick.OPENING, "random": FirstClick.RANDOM}


def dealer(shape: Shape, mines: int, rule: str, seed: int = 1) -> Callable[[int, Cell], Field]:
    def make(number: int, cell: Cell) -> Field:
        return Field(shape, deal(shape, mines, cell, RULES[rule], SplitMix64.of_game(seed, number)))

    return make


def good(shape: Shape, mines: int, seed: int) -> Field:
    """A board that certain steps clear from the cell that the bot opens first."""
    start = first_cell(shape, "opening")
    for number in range(10_000):
        field = Field(shape, deal(shape, mines, start, FirstClick.OPENING, SplitMix64.of_game(seed, number)))
        if play_blind(shape, lambda _, f=field: f, first="opening", guesses=False).won:  # type: ignore[misc]
            return field
    raise AssertionError("no such board")


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., FakeSite]]:
    """Paints a toy site that plays; at the end no click may have gone astray."""
    made: list[FakeSite] = []

    def make(
        shape: Shape, deals: Callable[[int, Cell], Field], play: Play | None = None, buttons: Any = MARKS, **more: Any
    ) -> FakeSite:
        profile = toys.profile(buttons, kind="reveal", play=play or Play(first="opening"))
        more = {"pitch": 20.0} | more
        out = FakeSite(profile, ["." * shape.cols] * shape.rows, deal=deals, **more)
        monkeypatch.setattr(bot.eye, "read", toys.Eye(out).read, raising=False)
        made.append(out)
        return out

    yield make
    for one in made:
        assert one.strays == []


def play(page: FakeSite, **more: Any) -> Outcome:
    return bot.play(page.profile, page, page, keyboard=page, clock=page.clock, sleep=page.sleep, **more)


def fails(page: FakeSite, kind: type[errors.AutosolveError], said: str, **more: Any) -> Outcome:
    ends: list[Outcome] = []
    with pytest.raises(kind, match=said):
        play(page, on_end=ends.append, **more)
    return ends[0]


def left_presses(page: FakeSite) -> list[Cell]:
    return [cell for cell, button in page.presses if button == "left"]


# ---------------------------------------------------------------- won without a guess


@pytest.mark.parametrize("shape", [Shape(9, 9), Shape(6, 17), Shape(16, 30), Shape(1, 12), Shape(12, 1)])
@pytest.mark.parametrize("style", list(Style))
def test_a_board_that_needs_no_guess_is_won(site: Callable[..., FakeSite], shape: Shape, style: Style) -> None:
    field = good(shape, max(1, shape.size // 6), seed=3)
    page = site(shape, lambda n, c: field, Play(first="opening", chord="left"))
    outcome = play(page, mines=field.mines.bit_count(), style=style, guesses=False)
    assert (outcome.result, outcome.verified) == (Result.SOLVED, True)
    (told,) = outcome.games
    assert (told.won, told.risks, told.three_bv) == (True, (), field.three_bv)
    assert told.clicks == outcome.clicks == len(page.presses)
    assert page.game is not None and page.game.state is State.WON
    assert page.flags == (field.mines if style is Style.FLAG else page.flags & field.mines)
    if style is Style.NOFLAG:
        assert page.flags == 0


def test_fewest_takes_fewer_clicks(site: Callable[..., FakeSite]) -> None:
    shape = Shape(16, 30)
    field = good(shape, 99, seed=8)
    clicks = {}
    for style in Style:
        page = site(shape, lambda n, c: field, Play(first="opening", chord="both"))
        clicks[style] = play(page, mines=99, style=style).clicks
    assert clicks[Style.FEWEST] < min(clicks[Style.FLAG], clicks[Style.NOFLAG])


@pytest.mark.parametrize("chord", ["left", "middle", "both", None])
def test_the_site_s_chord_is_used(site: Callable[..., FakeSite], chord: Any) -> None:
    shape = Shape(9, 12)
    field = good(shape, 20, seed=5)
    page = site(shape, lambda n, c: field, Play(first="opening", chord=chord))
    laps: list[Lap] = []
    assert play(page, mines=20, style=Style.FLAG, on_lap=laps.append).verified
    chords = [c for lap in laps for c in lap.plan.clicks if c.purpose is Purpose.CHORD]
    assert bool(chords) == (chord is not None)
    assert {c.button for c in chords} <= {chord}


def test_a_chord_that_does_nothing_is_given_up(site: Callable[..., FakeSite], monkeypatch: pytest.MonkeyPatch) -> None:
    shape = Shape(9, 12)
    field = good(shape, 20, seed=5)
    page = site(shape, lambda n, c: field, Play(first="opening"))
    # the profile hopes for a chord, which this page does not have
    hopeful = dataclasses.replace(page.profile, play=Play(first="opening", chord="middle"))
    outcome = bot.play(hopeful, page, page, mines=20, clock=page.clock, sleep=page.sleep)
    assert outcome.verified
    assert len([b for _, b in page.presses if b == "middle"]) <= 8


@pytest.mark.parametrize("flood", [0.1, 0.6])
def test_an_opening_that_takes_time_is_waited_for(site: Callable[..., FakeSite], flood: float) -> None:
    shape = Shape(14, 14)
    field = good(shape, 20, seed=2)
    page = site(shape, lambda n, c: field, Play(first="opening", settle=0.1), flood=flood)
    outcome = play(page, mines=20, style=Style.NOFLAG)
    assert outcome.verified
    assert not set(left_presses(page)) & set(cells_in(field.mines))


@pytest.mark.parametrize(
    "wrong", [{"swallow": 0.1}, {"double": 0.1}, {"delay": 0.2}, {"work": 0.02}, {"hover": True}, {"grab_time": 0.02}]
)
@pytest.mark.parametrize("style", [Style.FLAG, Style.FEWEST])
def test_pages_that_go_wrong(site: Callable[..., FakeSite], wrong: dict[str, Any], style: Style) -> None:
    shape = Shape(9, 13)
    for seed in range(3):
        field = good(shape, 20, seed=seed)
        chord = "left" if "double" not in wrong else None
        page = site(shape, lambda n, c, f=field: f, Play(first="opening", chord=chord), QUESTIONS, seed=seed, **wrong)
        assert play(page, mines=20, style=style).result is Result.SOLVED
        assert page.game is not None and page.game.state is State.WON


def test_later_laps_look_at_the_board_only(site: Callable[..., FakeSite], monkeypatch: pytest.MonkeyPatch) -> None:
    shape = Shape(16, 30)
    field = good(shape, 90, seed=4)
    page = site(shape, lambda n, c: field)
    reads: list[object] = []
    read, grab, views = bot.eye.read, page.grab, list[Box]()
    monkeypatch.setattr(bot.eye, "read", lambda *a, **k: (reads.append(k.get("grid")), read(*a, **k))[1])

    class Spy:
        monitors = page.monitors

        def grab(self, box: Box) -> Any:
            views.append(box)
            return grab(box)

    outcome = bot.play(page.profile, Spy(), page, mines=90, clock=page.clock, sleep=page.sleep)
    assert outcome.verified
    assert reads.count(None) == 1
    assert max(v.width for v in views[3:]) <= 32 * 20
    # each new kind of cell is told once, the rest by its looks
    assert len(reads) <= 14 < outcome.laps


# ---------------------------------------------------------------- guesses


def forced(number: int, cell: Cell) -> Field:
    """A 1 in 2 guess, and nothing else: one mine in the last column."""
    return Field(Shape(2, 4), 1 << (3 if number % 2 else 7))


def test_the_risk_is_told_before_the_guess(site: Callable[..., FakeSite]) -> None:
    page = site(Shape(2, 4), forced)
    told: list[tuple[Fraction, int]] = []
    outcomes = []
    for number in (1, 2):
        page.games = number
        page.load(["...."] * 2)
        try:
            outcomes.append(
                play(page, mines=1, on_lap=lambda lap: lap.guess and told.append((lap.guess.risk, len(page.presses))))
            )
        except errors.GameLost as lost:
            assert "the last click was a guess with a risk of 50.0 %" in str(lost)
    assert len(outcomes) == 1
    assert outcomes[0].games[0].risks == (Fraction(1, 2),)
    assert [risk for risk, _ in told] == [0, Fraction(1, 2)] * 2


@pytest.mark.parametrize(
    ("allowed", "said"),
    [
        (
            {"guesses": False},
            r"Nothing is certain. The best guess is r\dc\d with a risk of 50.0 %; guessing is not allowed",
        ),
        ({"max_risk": 0.2}, r"with a risk of 50.0 %; the most allowed is 20 %\. \d clicks? w"),
    ],
)
def test_a_guess_that_is_not_allowed(site: Callable[..., FakeSite], allowed: dict[str, Any], said: str) -> None:
    page = site(Shape(2, 4), forced)
    outcome = fails(page, errors.Undecided, said, mines=1, style=Style.NOFLAG, **allowed)
    assert outcome.result is Result.UNDECIDED
    assert outcome.last is not None and outcome.last.odds is not None
    assert {float(outcome.last.odds.probability(c)) for c in (3, 7)} == {0.5}
    assert len(page.presses) == 1


def test_a_guess_is_asked_for(site: Callable[..., FakeSite]) -> None:
    page = site(Shape(2, 4), forced)
    asked: list[Lap] = []

    def ask(lap: Lap) -> bool:
        asked.append(lap)
        return len(asked) < 2

    outcome = fails(page, errors.Stopped, "Stopped before a click. 1 click", mines=1, style=Style.NOFLAG, confirm=ask)
    assert outcome.result is Result.STOPPED
    assert [lap.guess.risk if lap.guess else None for lap in asked] == [0, Fraction(1, 2)]


def test_a_first_click_that_may_hit_a_mine_is_a_guess(site: Callable[..., FakeSite]) -> None:
    page = site(Shape(9, 9), dealer(Shape(9, 9), 10, "random"), Play())
    fails(page, errors.Undecided, r"r1c1 with a risk of 12.3 %; guessing is not allowed", mines=10, guesses=False)
    fails(page, errors.Undecided, r"r1c1 with a risk of 50.0 %, the number of mines not being known", max_risk=0.2)
    assert page.presses == []


def test_the_mines_of_a_known_size(site: Callable[..., FakeSite]) -> None:
    shape = Shape(9, 9)
    page = site(shape, dealer(shape, 10, "safe", 6), Play(first="safe", sizes=MappingProxyType({shape: 10})))
    ends: list[Outcome] = []
    try:
        play(page, on_end=ends.append)
    except errors.GameLost:
        assert ends[0].games[0].by_guess
    assert (ends[0].total, ends[0].total_from) == (10, "size")


# ---------------------------------------------------------------- lost, and what was to blame


def test_a_loss_on_a_certain_cell_is_a_defect(site: Callable[..., FakeSite]) -> None:
    """The page shows a 1 where there is a 2: every step is sound, and yet a mine is opened."""
    shape = Shape(9, 9)
    for seed in range(40):
        field = good(shape, 14, seed=seed)
        page = site(shape, lambda n, c, f=field: f)

        def lie(p: FakeSite = page) -> None:
            twos = [c for c, s in enumerate(p._symbols) if s is Symbol.CLUE_2]
            if twos:
                p._symbols[twos[0]] = Symbol.CLUE_1

        page.after(lambda p=page, lie=lie: p.after(lie, seconds=p.clock() + 0.001), clicks=1)  # type: ignore[misc]
        ends: list[Outcome] = []
        try:
            play(page, mines=14, on_end=ends.append)
        except errors.AutosolveError as problem:
            if "which was proven to be none. This is a defect" in str(problem):
                break
    else:
        raise AssertionError("no lie led to a loss")
    (told,) = ends[0].games
    assert (told.won, told.by_guess) == (False, False)
    assert told.defect is not None
    assert told.defect.cells and not told.defect.cells & ~field.mines
    assert told.defect.before.where(Symbol.COVERED) & told.defect.cells == told.defect.cells
    # what is kept is enough to prove the wrong cell again
    assert think(told.defect.puzzle, Policy.SAFETY).solution.safe & told.defect.cells


def test_a_game_that_is_lost_already(site: Callable[..., FakeSite]) -> None:
    page = site(Shape(2, 4), forced)
    page.load(["..1!", "...."])
    outcome = fails(page, errors.GameLost, "lost already: a mine shows at r1c4")
    assert (outcome.result, outcome.clicks) == (Result.LOST, 0)


@pytest.mark.parametrize("message", [0.5, 5.0])
@pytest.mark.parametrize("number", [1, 2])
def test_a_message_about_the_end_is_waited_for(site: Callable[..., FakeSite], message: float, number: int) -> None:
    page = site(Shape(2, 4), forced, Play(first="opening", popup=6.0), message=message)
    page.games = number
    page.load(["...."] * 2)
    ends: list[Outcome] = []
    with contextlib.suppress(errors.GameLost):
        play(page, mines=1, on_end=ends.append)
    (told,) = ends[0].games
    assert page.game is not None
    assert told.won == (page.game.state is State.WON)


def test_a_message_that_stays_over_a_win(site: Callable[..., FakeSite]) -> None:
    shape = Shape(9, 9)
    field = good(shape, 10, seed=1)
    page = site(shape, lambda n, c: field, message=1e9)
    outcome = play(page, mines=10)
    assert (outcome.result, outcome.verified) == (Result.SOLVED, False)
    assert outcome.games[0].won and outcome.games[0].three_bv is None


# ---------------------------------------------------------------- one game after the other


@pytest.mark.parametrize("how", [{"new_key": "F2"}, {"new_at": (0.0, -1.5)}])
def test_games_are_played_on(site: Callable[..., FakeSite], how: dict[str, Any]) -> None:
    shape = Shape(8, 8)
    page = site(shape, dealer(shape, 10, "opening", 3), Play(first="opening", **how))
    told: list[GameTold] = []
    try:
        play(page, mines=10, games=6, on_game=told.append)
    except errors.GameLost as lost:
        assert f"{sum(not t.won for t in told)} of 6 games were lost" in str(lost)
    assert [t.number for t in told] == [1, 2, 3, 4, 5, 6]
    assert page.games == 6
    assert all(t.won or t.by_guess for t in told)
    assert sum(t.clicks for t in told) == len(page.presses)
    assert any(t.won for t in told)


def test_games_that_begin_with_a_region_open_are_played_on(site: Callable[..., FakeSite]) -> None:
    shape = Shape(6, 12)
    how = Play(first="opening", new_at=(0.0, -1.9))
    page = site(shape, dealer(shape, 4, "opening", 2), how, opens=True)
    told: list[GameTold] = []
    with contextlib.suppress(errors.GameLost):
        play(page, mines=4, games=8, on_game=told.append)
    assert [t.number for t in told] == [*range(1, 9)]
    assert page.games == 8
    # a region is open before the first click, more than half of the board in some
    assert all(t.won or t.by_guess for t in told)


@pytest.mark.parametrize("slow", [0.001, 0.9])
def test_a_message_is_closed_by_its_key_however_slow_the_looks_are(site: Callable[..., FakeSite], slow: float) -> None:
    shape = Shape(9, 9)
    field = good(shape, 10, seed=1)
    how = Play(first="opening", new_key="F2", close_key="esc")
    page = site(shape, lambda n, c: field, how, message=1e9, grab_time=slow)
    told: list[GameTold] = []
    outcome = play(page, mines=10, games=2, on_game=told.append, style=Style.NOFLAG)
    assert outcome.verified
    assert [(t.won, t.verified, t.three_bv) for t in told] == [(True, True, field.three_bv)] * 2


def test_a_program_that_loses_quick_clicks_is_clicked_slower(
    site: Callable[..., FakeSite], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes one click in forty milliseconds: at the usual pace most of them get lost, some again and again."""
    shape = Shape(9, 9)
    field = good(shape, 14, seed=3)
    page = site(shape, lambda n, c: field, Play(first="opening"))
    taken: list[float] = [-1.0]
    click, lost = FakeSite.click, [0]

    def hasty(self: FakeSite, one: Click) -> None:
        if self.clock() - taken[-1] < 0.04:
            self.deaf, lost[0] = shape.all, lost[0] + 1
        else:
            taken.append(self.clock())
        click(self, one)
        self.deaf = 0

    monkeypatch.setattr(FakeSite, "click", hasty)
    assert play(page, mines=14, style=Style.NOFLAG).verified
    assert lost[0] > 0


@pytest.mark.parametrize(("delay", "most"), [(0.02, 1.2), (0.9, 6.0)])
def test_a_lost_click_is_waited_for_as_long_as_the_page_is_slow(
    site: Callable[..., FakeSite], delay: float, most: float
) -> None:
    """Only the very last click is lost: nothing later shows that the page goes on."""
    shape = Shape(9, 9)
    field = good(shape, 14, seed=3)
    page = site(shape, lambda n, c: field, Play(first="opening"), delay=delay)
    waits: list[float] = []
    looked = page.clock()

    def lap(lap: Lap) -> None:
        nonlocal looked
        waits.append(page.clock() - looked)
        looked = page.clock()
        page.deaf = 0
        if lap.number > 3 and lap.plan and not any(w > 0.45 + delay for w in waits[3:]):
            page.deaf = 1 << lap.plan.clicks[-1].cell

    assert play(page, mines=14, style=Style.NOFLAG, on_lap=lap).verified
    assert 0.45 < max(waits[3:]) < most
    assert not set(left_presses(page)) & set(cells_in(field.mines))


def test_several_games_need_to_know_how(site: Callable[..., FakeSite]) -> None:
    page = site(Shape(8, 8), dealer(Shape(8, 8), 10, "opening"))
    fails(page, errors.WrongUse, "not known how Toy begins a new game", games=2)
    page = site(Shape(8, 8), dealer(Shape(8, 8), 10, "opening"), Play(first="opening", new_key="F2"))
    page.profile = dataclasses.replace(page.profile, play=Play(new_key="F3"))
    hopeful = dataclasses.replace(page.profile, play=Play(first="opening", new_key="F2"))
    with pytest.raises(errors.ClicksFailed, match="No new game appears"):
        for _ in range(9):
            page.load(["." * 8] * 8)
            try:
                bot.play(hopeful, page, page, keyboard=page, mines=10, games=2, clock=page.clock, sleep=page.sleep)
            except errors.GameLost:
                continue


# ---------------------------------------------------------------- the screen changes


@pytest.mark.parametrize("at", [0, 1, 2, 7, 23])
@pytest.mark.parametrize("by", [(33, 21), (20, 0), (40, -60)])
def test_a_moved_window_gets_no_wrong_click(site: Callable[..., FakeSite], at: int, by: tuple[int, int]) -> None:
    shape = Shape(12, 12)
    field = good(shape, 24, seed=7)
    page = site(shape, lambda n, c: field)
    page.after(lambda: page.move_window(*by), clicks=at)
    assert play(page, mines=24).verified
    assert not set(left_presses(page)) & set(cells_in(field.mines))


@pytest.mark.parametrize("at", [0, 1, 9])
def test_a_popup_stops_the_clicks(site: Callable[..., FakeSite], at: int) -> None:
    shape = Shape(12, 12)
    field = good(shape, 24, seed=7)
    page = site(shape, lambda n, c: field)
    page.after(lambda: page.popup(Box(page.at.x + 40, page.at.y + 40, 150, 120)), clicks=at)
    fails(page, errors.Unreadable, "cannot be read", mines=24)
    assert not set(left_presses(page)) & set(cells_in(field.mines))
    page.strays.clear()


def test_a_popup_while_a_guess_is_asked_for(site: Callable[..., FakeSite]) -> None:
    page = site(Shape(2, 4), forced)

    def ask(lap: Lap) -> bool:
        if lap.guess is not None and not lap.free:
            page.popup(Box(page.at.x, page.at.y, 30, 30))
        return True

    with pytest.raises(errors.AutosolveError):
        play(page, mines=1, style=Style.NOFLAG, confirm=ask)
    assert len(page.presses) == 1


def test_another_game_is_not_clicked(site: Callable[..., FakeSite]) -> None:
    shape = Shape(12, 12)
    field = good(shape, 24, seed=7)
    page = site(shape, lambda n, c: field)
    page.after(lambda: page.renew(), clicks=12)
    fails(page, errors.ClicksFailed, "Another game is shown now", mines=24)
    assert page.game is None


def test_the_hand_stops_it(site: Callable[..., FakeSite]) -> None:
    shape = Shape(12, 12)
    page = site(shape, lambda n, c: good(shape, 24, seed=7))
    page.after(lambda: page.hand(40, 10), clicks=5)
    outcome = fails(page, errors.Stopped, "moved by hand. 5 clicks were made", mines=24)
    assert outcome.clicks == 5


def test_a_dry_run_clicks_nothing(site: Callable[..., FakeSite]) -> None:
    page = site(Shape(9, 9), dealer(Shape(9, 9), 10, "safe"))
    outcome = play(page, mines=10, dry_run=True)
    assert (outcome.result, outcome.clicks, page.presses) == (Result.DRY_RUN, 0, [])
    assert outcome.plan.where(Purpose.OPEN).bit_count() == 1


# ---------------------------------------------------------------- plans


def brute_worst(shape: Shape, game: Game, plan: list[Click]) -> bool:
    """Whether any part of the plan's flags, then its chords and openings, can open a mine."""
    flags = [c.cell for c in plan if c.purpose in (Purpose.FLAG, Purpose.UNDO)]
    dice = random.Random(1)
    for _ in range(20):
        now = game
        for cell in flags:
            if dice.random() < 0.7:
                now = now.flag(cell)
        for click in plan:
            if click.purpose is Purpose.OPEN:
                now = now.reveal(click.cell)
            elif click.purpose is Purpose.CHORD:
                now = now.chord(click.cell)
        if now.state is State.LOST:
            return True
    return False


@pytest.mark.parametrize("style", list(Style))
def test_no_plan_opens_a_mine_whichever_of_its_clicks_get_lost(style: Style) -> None:
    profile = toys.profile(MARKS, kind="reveal", play=Play(chord="middle"))
    for seed in range(60):
        shape = [Shape(8, 8), Shape(3, 20), Shape(1, 15)][seed % 3]
        field = Field(shape, deal(shape, shape.size // 5, Cell(0), FirstClick.SAFE, SplitMix64(seed)))
        dice = random.Random(seed)
        game = Game(field).reveal(0)
        for _ in range(dice.randrange(6)):
            thought = think(game.puzzle, Policy.SAFETY)
            for cell in cells_in(thought.solution.safe):
                game = game.reveal(cell)
        for cell in dice.sample(range(shape.size), 3):
            game = game.flag(cell)  # right ones and wrong ones
        thought = think(game.puzzle, Policy.SAFETY)
        rows = _rows(game)
        plan = advance(toys.reading(rows, profile), thought.solution.mines, thought.solution.safe, style=style)
        assert not brute_worst(shape, game, list(plan.clicks))


def _rows(game: Game) -> list[str]:
    shape = game.field.shape
    chars = [
        str(game.field.clue(c)) if game.opened >> c & 1 else "F" if game.flags >> c & 1 else "."
        for c in range(shape.size)
    ]
    return ["".join(chars[i : i + shape.cols]) for i in range(0, shape.size, shape.cols)]


def test_the_chord_that_saves_most_is_taken() -> None:
    shape = Shape(3, 3)
    mines, safe = cell_set([0]), cell_set([1, 2, 3, 5, 6, 7, 8])
    shut: CellSet = shape.all & ~(1 << 4)
    assert chosen(shape, {Cell(4): 1}, shut, 0, mines, safe, Style.FEWEST, True) == (0, 1 << 4, mines)
    assert chosen(shape, {Cell(4): 1}, shut, 0, mines, safe, Style.NOFLAG, True) == (safe, 0, 0)
    assert chosen(shape, {Cell(4): 1}, shut, 0, mines, safe, Style.FLAG, False) == (safe, 0, mines)
    # a flag on a safe cell: no chord near it
    assert chosen(shape, {Cell(4): 1}, shut, 1 << 8, mines, safe, Style.FEWEST, True)[1] == 0


# ---------------------------------------------------------------- without a screen


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize(("shape", "mines"), [(Shape(9, 9), 10), (Shape(5, 14), 14), (Shape(1, 9), 3)])
def test_blind_games_are_lost_by_guesses_alone(shape: Shape, mines: int, told: bool) -> None:
    won = guesses = 0
    expected = 0.0
    mined = 0
    make = dealer(shape, mines, "safe", seed=9)
    for k in range(60):
        seen: list[tuple[Fraction, bool]] = []

        def watch(thought: Any, field: Field, out: list[tuple[Fraction, bool]] = seen) -> None:
            assert not thought.solution.safe & field.mines
            assert not thought.solution.mines & ~field.mines
            if thought.guess is not None and not thought.free:
                out.append((thought.guess.risk, bool(field.mines >> thought.guess.cell & 1)))

        game = play_blind(shape, lambda c, k=k: make(k, c), told_mines=told, on_thought=watch)  # type: ignore[misc]
        assert game.won or game.by_guess
        won += bool(game.won)
        guesses += len(seen)
        expected += sum(float(risk) for risk, _ in seen)
        mined += sum(hit for _, hit in seen)
    assert 0 < won < 60
    if told:
        # the risks told are those met: within four deviations
        assert abs(mined - expected) <= 4 * max(1.0, expected) ** 0.5


# ---------------------------------------------------------------- the mine counter


@pytest.mark.parametrize("hidden", [False, True])
def test_a_counter_that_goes_down_with_no_flag_is_not_believed(
    site: Callable[..., FakeSite], monkeypatch: pytest.MonkeyPatch, hidden: bool
) -> None:
    """A counter of which only a digit shows says 1, whatever the flags."""
    shape = Shape(9, 12)
    field = good(shape, 16, seed=5)
    page = site(shape, lambda n, c: field, Play(first="opening"))
    eyes = bot.eye.read

    def counted(frame: Frame, grid: Grid, profile: Profile, flags: int) -> int:
        return 1 + flags if hidden else 16

    def read(frame: Frame, site: Profile, **more: Any) -> Reading:
        found: Reading = eyes(frame, site, **more)
        mines = counted(frame, found.grid, site, found.where(Symbol.FLAG).bit_count())
        return dataclasses.replace(found, totals=Totals(mines=mines))

    monkeypatch.setattr(bot.eye, "read", read)
    monkeypatch.setattr(bot.games, "all_mines", counted)
    outcome = play(page)
    assert (outcome.total, outcome.total_from) == ((None, None) if hidden else (16, "counter"))
    # by the numbers alone it is won, and nothing that the counter said was clicked
    assert (outcome.result, page.game is not None and page.game.state) == (Result.SOLVED, State.WON)


# ---------------------------------------------------------------- screens with more or fewer pixels than points


@pytest.mark.parametrize(
    ("name", "pitch", "scale"),
    [("xdemineur", 21.0, 2.0), ("xdemineur", 28.0, 0.75), ("sgt-mines", 20.0, 1.5), ("sgt-mines", 20.0, 2.0)],
)
def test_a_game_is_played_to_its_end_where_points_are_not_pixels(name: str, pitch: float, scale: float) -> None:
    """Found and read in pixels, clicked in points, on a screen that begins left of and above the main one."""
    shape = Shape(9, 12)
    field = good(shape, 14, seed=5)
    screens = Monitor(1, Box(0, 0, 1280, 800)), Monitor(2, Box(-900, -120, 900, 640), scale=scale)
    page = FakeSite(
        load(name),
        ["." * shape.cols] * shape.rows,
        at=Point(-620.0, 40.0),
        pitch=pitch,
        window=Box(-860, -80, 800, 560),
        screens=screens,
        deal=lambda number, cell: field,
    )
    outcome = play(page, mines=14, guesses=False)
    assert (outcome.result, outcome.verified) == (Result.SOLVED, True)
    assert page.game is not None and page.game.state is State.WON
    assert page.flags == field.mines and page.strays == []
    assert outcome.reading is not None and outcome.reading.frame.scale == scale
    # each press lands well inside its cell
    assert outcome.reading.grid.left == pytest.approx(page.at.x, abs=2 / scale)
    assert outcome.reading.grid.top == pytest.approx(page.at.y, abs=2 / scale)
