"""Owns the commands that measure boards and players: audit, judge, rating and trophies."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from autosolve.board.words import counted, verb
from autosolve.cli import kept, say
from autosolve.cli.measuring import cluster_option, jobs_option, measured, progress, tell_compiling
from autosolve.cli.options import as_json, layers_option
from autosolve.errors import AutosolveError, NotationError, Undecided, WrongUse
from autosolve.solver.deduction import Technique

if TYPE_CHECKING:
    from autosolve.analysis.audit import Move
    from autosolve.analysis.collection import Entry
    from autosolve.analysis.rating import Attempt, Rating
    from autosolve.analysis.trophies import Route, Trophies

MOST_CODE = 125  # a shell gives larger ones another meaning, and 130 is Ctrl-C's


def _names(cells: Sequence[Sequence[int]], limit: int | None = None) -> str:
    """Cells by name, cut short where there are more than ``limit``."""
    words = [f"r{row + 1}c{col + 1}" for row, col in cells]
    more = f" and {len(words) - limit} more" if limit is not None and len(words) > limit else ""
    return " ".join(words[:limit]) + more


# ---------------------------------------------------------------- audit


@click.command()
@click.argument("file")
@as_json
@layers_option("one,two,contradiction,total")
@click.option("--crosses", is_flag=True, help="Cells proven to be safe count as confirmed, too.")
@kept.options
@jobs_option
@cluster_option
def audit(file: str, as_json: bool, layers: frozenset[Technique] | None, crosses: bool, **where: Any) -> int:
    """Replay every board in FILE by proof alone, and report those that the rules do not clear.

    Only mines that follow from what is confirmed are taken: from clues, totals, mines taken and cells that these
    opened, not from crosses somebody drew. Every deduction is held against the stored solution.

    The number of boards not cleared is the exit code, 125 standing for that many or more. Other errors than that
    (such as 2 for a file that cannot be read) print no result, and with --json an object that has "error".
    """
    from autosolve.analysis.audit import RULES, Fate
    from autosolve.analysis.collection import pieces

    text = say.read_text(file)
    boards = pieces(text)
    allowed = RULES if layers is None else layers
    counts = dict.fromkeys((fate.value for fate in Fate), 0)
    not_held = 0
    tasks = [(line, board, allowed, crosses) for line, board in boards]
    head = kept.heading("audit", text, {"layers": sorted(layer.word for layer in allowed), "crosses": crosses})
    stopped = False
    try:
        for found in measured(_replay, tasks, "Replaying", where, head):
            counts[found["fate"]] += 1
            not_held += not found["held"]
            if as_json:
                say.json_line(found)
            elif found["fate"] != Fate.CLEARED.value:
                say.result(_replayed(found))
    except KeyboardInterrupt:
        stopped = True
    done = sum(counts.values())
    if stopped and not done:
        raise kept.stopped(done, len(boards), where["output"])
    unsolved = done - counts[Fate.CLEARED.value]
    if as_json:
        more = {"stopped": True} if stopped else {}
        say.json_result({"boards": done, "unsolved": unsolved, **counts, "not_held": not_held, **more})
    else:
        say.result(f"{done:,} measured, {unsolved:,} unsolved")
    if not_held:
        say.note(
            f"{not_held:,} of {counted(done, 'board')} {verb(not_held, 'has', 'have')} no stored solution and "
            f"{verb(not_held, 'was', 'were')} held against the solver's."
        )
    if stopped:
        raise kept.stopped(done, len(boards), where["output"])
    return min(unsolved, MOST_CODE)


_FATES = {
    "stuck": "nothing proves",
    "wrong": "the deductions and the stored solution disagree at",
    "clash": "the clues contradict each other; undecided are",
}
# where no cell is covered that could be named
_NONE_LEFT = {
    "stuck": "nothing is left to prove, yet it is not cleared",
    "wrong": "what is stored belongs to another board",
    "clash": "the clues contradict each other",
}


def _replayed(found: dict[str, Any]) -> str:
    """A board that was not cleared, in words."""
    tier = f" ({found['tier']})" if found["tier"] else ""
    more = "; cleared where proven crosses count" if found.get("with_crosses") == "cleared" else ""
    why = f"{_FATES[found['fate']]} {_names(found['left'], 12)}"
    if not found["left"]:
        why = _NONE_LEFT[found["fate"]]
    return f"line {found['line']}{tier}: {found['fate']}: {why}{more}"


def _replay(task: tuple[Any, ...]) -> dict[str, Any]:
    """A replay as JSON."""
    from autosolve.analysis.audit import Fate, replay
    from autosolve.analysis.collection import entry

    line, text, layers, crosses = task
    board = entry(line, text)
    found = replay(board, layers, crosses=crosses)
    out = found.to_json()
    if found.fate is Fate.STUCK and not crosses:
        out["with_crosses"] = replay(board, layers, crosses=True).fate.value
    return out


# ---------------------------------------------------------------- judge


@click.command()
@click.argument("file")
@as_json
@layers_option("one,two,contradiction,total")
def judge(file: str, as_json: bool, layers: frozenset[Technique] | None) -> None:
    """Decide for every play in FILE whether it was a clean clear.

    Clean is a clear at the first attempt, without a hint, of which every catch was provable when it was made. FILE has
    one JSON object a line: a board as 'generate --json' gives it, with "moves": [["mine", [row, column]], ["hint"],
    ...] in the order they were made, and "attempt" where it was not the first. A move is mine, open, mark or hint. The
    answers, given with --json, are attempts that 'autosolve rating' reads.
    """
    from autosolve.analysis.audit import RULES, judge, solution_of
    from autosolve.analysis.collection import entry, pieces
    from autosolve.analysis.grade import grade

    for line, piece in pieces(say.read_text(file)):
        board = entry(line, piece)
        moves, attempt = _moves(board), board.data.get("attempt", 1)
        if not isinstance(attempt, int) or isinstance(attempt, bool) or attempt < 1:
            raise NotationError(f"Line {line}: 'attempt' must be a number from 1.", "Mend the object.", line=line)
        solution = solution_of(board)
        if solution is None:
            raise Undecided(
                f"Line {line}: the board has more than one solution, and none is stored with it.",
                "Give its solution.",
            )
        found = judge(board, solution, moves, attempt=attempt, layers=RULES if layers is None else layers)
        if as_json:
            stored = board.data.get("grade")
            depth = stored.get("depth") if isinstance(stored, dict) else None
            if not isinstance(depth, int | float) or isinstance(depth, bool):
                depth = grade(board.puzzle).depth
            extra = {key: board.data[key] for key in ("player", "hash") if key in board.data}
            say.json_line(
                {
                    "line": line,
                    "clean": found.clean,
                    "cleared": found.cleared,
                    "attempt": found.attempt,
                    "hints": found.hints,
                    "catches": found.catches,
                    "misses": list(found.misses),
                    "unproven": list(found.unproven),
                    "depth": depth,
                    **extra,
                }
            )
            continue
        words = [] if found.cleared else ["not cleared"]
        words += [f"attempt {found.attempt}"] if found.attempt > 1 else []
        words += [counted(found.hints, "hint")] if found.hints else []
        for n in sorted({*found.misses, *found.unproven}):
            cell = moves[n].cell
            assert cell is not None
            fault = "missed" if n in found.misses else "was a guess"
            words.append(f"move {n + 1} ({board.puzzle.shape.name(cell)}) {fault}")
        say.result(f"line {line}: {'clean' if found.clean else 'not clean: ' + ', '.join(words)}")


def _moves(board: Entry) -> list[Move]:
    from autosolve.analysis.audit import Move

    given, shape, out = board.data.get("moves"), board.puzzle.shape, list[Move]()
    fault = NotationError(
        f"Line {board.line}: 'moves' must be a list of moves on the board.",
        'Write for example "moves": [["mine", [0, 3]], ["open", [1, 1]], ["hint"]].',
        line=board.line,
    )
    if not isinstance(given, list):
        raise fault
    for move in given:
        match move:
            case ["hint"]:
                out.append(Move("hint"))
            case ["mine" | "open" | "mark" as what, [int(row), int(col)]] if (
                type(row) is type(col) is int and 0 <= row < shape.rows and 0 <= col < shape.cols  # True is an int, too
            ):
                out.append(Move(what, shape.cell(row, col)))
            case _:
                raise fault
    return out


# ---------------------------------------------------------------- rating


@click.command()
@click.argument("file")
@as_json
@click.option(
    "--slope", type=click.FloatRange(0, min_open=True), help="How steeply the chance falls with depth.  [0.3]"
)
def rating(file: str, as_json: bool, slope: float | None) -> None:
    """Rate players from the attempts in FILE, one JSON object a line.

    An attempt has "depth", as 'autosolve grade' gives it, and "clean": true or false. With "player" every player is
    rated apart; with "hash" (or "board") only the first attempt at a board counts. A rating goes from 0 to 4,400, is
    shown from 20 attempts and settled from 60.
    """
    from autosolve.analysis.collection import objects
    from autosolve.analysis.rating import SHOWN_FROM, SLOPE, rate

    players: dict[str, list[Attempt]] = {}
    seen: set[tuple[str, str]] = set()
    passed = 0
    for line, data in objects(say.read_text(file)):
        player, board = data.get("player"), data.get("hash", data.get("board"))
        player = "" if player is None else str(player)
        attempt = _attempt(line, data)
        key = (player, str(board))
        if data.get("attempt", 1) != 1 or (board is not None and key in seen):
            passed += 1
            continue
        seen.add(key)
        players.setdefault(player, []).append(attempt)
    if not players:
        raise NotationError("There is no first attempt in this file.", "Give one JSON object a line.")
    if passed:
        say.note(f"{counted(passed, 'later attempt')} at a board {verb(passed, 'was', 'were')} passed over.")
    for player, attempts in players.items():
        found = rate(attempts, SLOPE if slope is None else slope)
        if as_json:
            say.json_line(_rating(player, found))
            continue
        who = f"{player}: " if player else ""
        if not found.shown:
            say.result(f"{who}no rating yet: {found.attempts} of {SHOWN_FROM} attempts")
            continue
        low, high = found.interval
        settled = "settled" if found.settled else "not settled yet"
        say.result(
            f"{who}{found.points:,} ({low:,} to {high:,}), {settled}: {found.clean} of "
            f"{counted(found.attempts, 'attempt')} clean"
        )


def _attempt(line: int, data: dict[str, Any]) -> Attempt:
    from autosolve.analysis.rating import Attempt

    grade = data.get("grade")
    depth = data.get("depth", grade.get("depth") if isinstance(grade, dict) else None)
    clean = data.get("clean")
    if not isinstance(depth, int | float) or isinstance(depth, bool) or not isinstance(clean, bool):
        raise NotationError(
            f"Line {line}: an attempt needs a number 'depth', and 'clean' true or false.",
            'Write for example {"depth": 7, "clean": true}.',
            line=line,
        )
    try:
        return Attempt(depth, clean)
    except WrongUse as problem:
        raise NotationError(
            f"Line {line}: {str(problem)[0].lower()}{str(problem)[1:]}", problem.remedy, line=line
        ) from None


def _rating(player: str, found: Rating) -> dict[str, Any]:
    return {
        **({"player": player} if player else {}),
        "rating": found.points if found.shown else None,
        "interval": list(found.interval) if found.shown else None,
        "shown": found.shown,
        "settled": found.settled,
        "attempts": found.attempts,
        "clean": found.clean,
        "ability": round(found.ability, 4),
        "deviation": round(found.deviation, 4),
    }


# ---------------------------------------------------------------- trophies


@click.command()
@click.argument("file")
@as_json
@click.option("--route", type=click.Choice(["closed", "subsets"]), default="closed", show_default=True, help="How.")
@click.option("--free/--no-free", default=True, help="Find the free mines and fold the diagram.  [default: free]")
@click.option("--next", "from_flags", is_flag=True, help="Say what keeps the best score, the flags (F) being found.")
@click.option("--memory", type=click.FloatRange(0, min_open=True), metavar="GB", help="Memory that may be used.")
@click.option("--jobs", type=click.IntRange(1, 256), metavar="J", help="Threads; one per core if not given.")
@kept.options
def trophies(
    file: str,
    as_json: bool,
    route: str,
    free: bool,
    from_flags: bool,
    memory: float | None,
    jobs: int | None,
    output: str | None,
    resume: bool,
) -> None:
    """Compute the best and the worst score of the boards in FILE over all orders of finding their mines.

    A find scores 100 + 50 x cells opened x conditions completed at once; conditions are clues and totals of rows and
    columns. With it come an order for each, the mines that are free, and a decision diagram that says of any set of
    mines found whether the best score can still be made, and by which mine next.

    A mine is free when it can be taken at any point of every best order without losing the best score, and free to the
    end when it can at any point of some best order that finds it last.
    """
    from autosolve.analysis.collection import entry, pieces
    from autosolve.analysis.trophies import Route

    if memory is not None and not math.isfinite(memory * 1e9):
        raise WrongUse(f"{memory} GB of memory cannot be kept to.", "Give a number, or leave --memory out.")
    text = say.read_text(file)
    boards = pieces(text)
    tell_compiling()
    head = kept.heading("trophies", text, {"free": free or from_flags, "next": from_flags})

    def work(task: tuple[Any, ...]) -> dict[str, Any]:
        line, board = task
        with progress(f"Line {line}" if len(boards) > 1 else "Trophies", 1) as step:
            try:
                return _measure(entry(line, board), Route(route), free, from_flags, memory, jobs, step)
            except AutosolveError as problem:
                if len(boards) > 1:
                    problem.args = (f"Line {line}: {problem}",)
                raise

    done = 0
    where = {"jobs": 1, "cluster": None, "output": output, "resume": resume}
    try:
        for found in measured(work, boards, None, where, head):
            done += 1
            if len(boards) == 1:
                del found["line"]
            if as_json:
                say.json_line(found)
            else:
                _tell_trophies(found)
    except KeyboardInterrupt:
        if len(boards) == 1:
            raise
        raise kept.stopped(done, len(boards), output) from None


def _measure(
    board: Entry,
    route: Route,
    free: bool,
    from_flags: bool,
    memory: float | None,
    jobs: int | None,
    step: Callable[[float], None],
) -> dict[str, Any]:
    """The trophies of a board as JSON."""
    from autosolve.analysis.trophies import trophies as measure

    done = 0.0

    def report(share: float) -> None:
        nonlocal done
        step(share - done)
        done = share

    puzzle = board.puzzle
    found = measure(
        puzzle,
        mines=None if board.solution is None else board.solution & ~puzzle.mines,
        route=route,
        free=free or from_flags,
        memory=None if memory is None else int(memory * 1e9),
        jobs=jobs,
        on_progress=report,
    )
    flags = board.position.marks.flags & found.mines if from_flags else None
    return {"line": board.line, **_trophies(found, flags)}


def _trophies(found: Trophies, flags: int | None) -> dict[str, Any]:
    shape = found.puzzle.shape

    def pairs(mask: int | None) -> list[list[int]] | None:
        return None if mask is None else [list(at) for at in shape.pairs(mask)]

    out: dict[str, Any] = {
        "highest": found.highest,
        "lowest": found.lowest,
        "mines": found.mines.bit_count(),
        "best": [list(shape.at(cell)) for cell in found.best],
        "worst": [list(shape.at(cell)) for cell in found.worst],
        "free": pairs(found.free),
        "free_to_the_end": pairs(found.free_to_the_end),
        "states": found.states,
        "diagrams": None
        if found.diagrams is None
        else [
            {
                "groups": [pairs(group) for group in diagram.groups],
                "nodes": [list(node) for node in diagram.nodes],
                "alive": diagram.alive,
                "keeps": list(diagram.keeps),
            }
            for diagram in found.diagrams
        ],
    }
    if flags is not None:
        out["next"] = pairs(found.keepers(flags))
        out["found"] = flags.bit_count()
    return out


def _tell_trophies(found: dict[str, Any]) -> None:
    number = found["mines"]
    if "line" in found:
        say.result(f"# line {found['line']}")
    say.result(f"highest: {found['highest']:,}  {_names(found['best'])}")
    say.result(f"lowest:  {found['lowest']:,}  {_names(found['worst'])}")
    for words, cells in (("free:   ", found["free"]), ("free to the end:", found["free_to_the_end"])):
        if cells is not None:
            say.result(f"{words} {len(cells)} of {number}  {_names(cells)}".rstrip())
    if found["diagrams"] is not None:
        say.result(f"diagram: {counted(sum(len(diagram['nodes']) for diagram in found['diagrams']), 'node')}")
    say.result(f"states:  {found['states']:,}, of 2^{number} sets of mines")
    if "next" in found:
        if found["next"]:
            say.result(f"next:    {_names(found['next'])}")
        elif found["found"] == number:
            say.result("next:    nothing, all mines are found")
        else:
            say.result("next:    nothing; after these the highest score cannot be made")
