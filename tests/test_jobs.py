"""Work over processes and a cluster: the same results, however many workers there are and whichever are lost."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autosolve.analysis.jobs import TRIES, Jobs, processors
from autosolve.errors import AutosolveError, EnvironmentProblem, WrongUse

ROOT = Path(__file__).resolve().parent.parent


def square(n: int) -> int:
    return n * n


def slow_first(n: int) -> int:
    if n == 0:
        time.sleep(0.3)
    return n


def fail_at_three(n: int) -> int:
    if n == 3:
        raise WrongUse("Three is too many.", "Give two.")
    return n


def die_once(item: tuple[str, int]) -> int:
    """Kills its process the first time it is given 5; a file remembers that it did."""
    marker, n = item
    if n == 5 and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return n * 10


def die_always(n: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return n


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_with_their_items_and_in_order(jobs: int) -> None:
    with Jobs(jobs) as workers:
        assert dict(workers.each(square, range(20))) == {n: n * n for n in range(20)}
        assert list(workers.in_order(slow_first, range(10))) == list(range(10))
        assert list(workers.each(square, [])) == []


def test_items_are_taken_as_they_are_needed() -> None:
    taken = []

    def items() -> Iterator[int]:
        for n in range(1000):
            taken.append(n)
            yield n

    with Jobs(1) as workers:
        for n, _ in workers.each(square, items()):
            if n == 3:
                break
    assert len(taken) <= 6


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_work_is_handed_on(jobs: int) -> None:
    with Jobs(jobs) as workers, pytest.raises(WrongUse, match="Three is too many"):
        list(workers.each(fail_at_three, range(6)))


def test_a_process_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    marker = str(tmp_path / "died")
    with Jobs(2) as workers:
        got = dict(workers.each(die_once, [(marker, n) for n in range(12)]))
        assert workers.lost == 1
    assert got == {(marker, n): n * 10 for n in range(12)}


def test_work_that_always_kills_its_process_ends_in_words() -> None:
    with Jobs(2) as workers, pytest.raises(AutosolveError, match=f"lost its worker {TRIES} times"):
        list(workers.each(die_always, [1]))


def test_no_process_is_no_way_to_work() -> None:
    with pytest.raises(WrongUse):
        Jobs(0)
    assert processors() >= 1


# ---------------------------------------------------------------- a cluster

dask = pytest.importorskip(
    "distributed", reason="dask.distributed is not installed; 'pip install .[cluster]' brings it"
)


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class Cluster:
    """A scheduler and workers on loopback, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.address = f"tcp://127.0.0.1:{_free_port()}"
        self.folder = folder
        self.all: list[subprocess.Popen[bytes]] = []
        self.start("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", self.address.split(":")[-1])

    def start(self, module: str, *args: str) -> subprocess.Popen[bytes]:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
        with (self.folder / f"log{len(self.all)}").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *args, "--no-dashboard"],
                env=env, cwd=self.folder, stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip
        self.all.append(process)
        return process

    def worker(self, name: str) -> subprocess.Popen[bytes]:
        return self.start(
            "distributed.cli.dask_worker", self.address, "--nthreads", "1", "--name", name, "--no-nanny",
            "--host", "127.0.0.1",
        )  # fmt: skip

    def wait_for(self, workers: int) -> None:
        with dask.Client(self.address, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=60)

    def stop(self) -> None:
        for process in self.all:
            process.kill()
        for process in self.all:
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    yield made
    made.stop()


def test_a_cluster_without_workers_is_said(cluster: Cluster) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            with pytest.raises(EnvironmentProblem, match="has no workers"), Jobs(cluster=cluster.address):
                pass
            return
        except AssertionError:  # the scheduler is still starting: "There is no dask scheduler"
            if time.monotonic() > deadline:
                raise


def test_no_cluster_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autosolve.analysis.jobs.CONNECT_SECONDS", 1)
    address = f"tcp://127.0.0.1:{_free_port()}"
    with pytest.raises(EnvironmentProblem, match="no dask scheduler"), Jobs(cluster=address):
        pass


def test_a_scheduler_that_dies_is_said(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autosolve.analysis.jobs.CONNECT_SECONDS", 4)
    cluster.worker("only")
    cluster.wait_for(1)
    got = []
    with pytest.raises(EnvironmentProblem, match="is gone"), Jobs(cluster=cluster.address) as there:
        for n, _ in there.each(square, range(10**9)):
            got.append(n)
            if len(got) == 10:
                cluster.all[0].kill()
    assert len(got) >= 10


def test_a_census_on_a_cluster_survives_a_worker_killed_half_way(cluster: Cluster) -> None:
    from autosolve.analysis.census import Spec, add_up, run
    from autosolve.board.shape import Shape

    spec = Spec(Shape(9, 13), 22, seed=5)
    with Jobs(1) as here:
        alone = list(run(spec, 60_000, here, size=2000))
    first = cluster.worker("first")
    cluster.worker("second")
    cluster.wait_for(2)
    chunks = []
    with Jobs(cluster=cluster.address) as there:
        for chunk in run(spec, 60_000, there, size=2000):
            chunks.append(chunk)
            if len(chunks) == 8:
                first.kill()
    assert sorted(c.first for c in chunks) == [c.first for c in alone]
    assert {c.first: c.tally for c in chunks} == {c.first: c.tally for c in alone}
    assert add_up(chunks).states == add_up(alone).states
    assert first.wait(10) == -signal.SIGKILL


def test_a_worker_killed_half_way_loses_no_audit_no_board_and_no_child(cluster: Cluster) -> None:
    """What the commands audit, generate noguess and generate puzzle --evolve spread over workers."""
    import lines

    from autosolve.analysis.audit import RULES
    from autosolve.board.shape import Cell, Shape
    from autosolve.cli.measure import _replay
    from autosolve.cli.measuring import spread
    from autosolve.generate.evolve import Evolution
    from autosolve.generate.noguess import Order, Wish, made
    from autosolve.generate.unique import Recipe

    some: Any = lines.lines_boards
    boards = [json.dumps(board) for board in some(count=6, seed=3, sizes=((4, 4), (5, 3)), layers=tuple(RULES))]
    tasks = [(line, boards[line % 6], RULES, False) for line in range(1, 97)]
    recipe = Recipe(Shape(7, 8))
    orders = [Order(Wish(Shape(6, 8), 10, Cell(19)), seed) for seed in range(24)]
    alone, together = Evolution(recipe, 3), Evolution(recipe, 3)

    def killing(results: Iterable[Any], after: int) -> list[Any]:
        """All results; a second worker comes before the first of them, and is killed after some."""
        second = cluster.worker(f"second{len(cluster.all)}")
        cluster.wait_for(2)
        out = []
        for result in results:
            out.append(result)
            if len(out) == after:
                second.kill()
        assert second.wait(10) == -signal.SIGKILL
        return out

    cluster.worker("first")
    assert killing(spread(_replay, tasks, 1, cluster.address, None), 16) == [_replay(task) for task in tasks]
    with Jobs(cluster=cluster.address) as there:
        assert killing(there.in_order(made, orders), 8) == [made(order) for order in orders]
        killing(together.run(80, there), 12)
    for _ in range(80):
        alone.step()
    assert together.to_json() == alone.to_json()


def test_a_cluster_makes_the_boards_that_one_process_makes(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from autosolve.cli.main import run_command

    cluster.worker("first")
    cluster.worker("second")
    cluster.wait_for(2)
    for kind in (
        ("puzzle", "--size", "3x8", "--count", "3"),
        ("puzzle", "--size", "4x6", "--evolve", "--children", "80"),
        ("lines", "--size", "4x7", "--count", "3"),
        ("noguess", "--size", "9x5", "--count", "3"),
    ):
        said = []
        for where in ((), ("--cluster", cluster.address)):
            monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / f"data{len(where)}"))
            assert run_command(["generate", *kind, "--seed", "8", "--json", *where]) == 0
            said.append(capsys.readouterr().out)
        assert said[0] == said[1] != ""
