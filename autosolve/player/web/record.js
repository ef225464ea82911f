// Owns what is remembered of a person's play: the moves of a game, whether it was clean, the attempts and their rating.

const KEPT = 500; // attempts and boards the browser remembers

class Play {
  /**
   * ``known``  what is known of the board beside itself: { solution: rows of 0 and 1 or null, depth or null }
   */
  constructor(game, known) {
    this.game = game;
    this.known = known;
    this.again();
  }

  /** From the beginning once more. */
  again() {
    this.board = writeText(this.game.facts());
    // a board that nothing is open of begins with a guess: nothing can be proven of that
    this.judgeable = this.game.kind !== "reveal" || this.game.opened > 0;
    this.moves = [];
    this.slips = 0; // moves that were wrong, as far as the page knows
    this.ended = false;
    this.attempt = null;
  }

  log(what, cell = null) {
    if (this.ended) return;
    if (this.attempt === null) {
      const { kind, position } = this.game;
      this.id = sha256(`${kind} ${this.board} ${position.sha256 ?? position.hidden?.mines ?? ""}`).slice(0, 16);
      const seen = store.get("seen", {});
      this.attempt = (seen[this.id] ?? 0) + 1;
      delete seen[this.id]; // the newest stands last
      seen[this.id] = this.attempt;
      store.set("seen", Object.fromEntries(Object.entries(seen).slice(-KEPT)));
    }
    this.moves.push({ what, cell: cell === null ? null : [Math.floor(cell / this.game.cols), cell % this.game.cols] });
  }

  get solution() {
    const { game } = this;
    const mines = game.kind === "reveal" ? (cell) => game.truth[cell] < 0 : (cell) => mined(game.cells[cell]);
    const bits = Array.from(game.cells, (_, cell) => (mines(cell) ? "1" : "0")).join("");
    return (
      this.known.solution ?? Array.from({ length: game.rows }, (_, r) => bits.slice(r * game.cols, (r + 1) * game.cols))
    );
  }

  /** The game is over: judges it, keeps the attempt, and returns { clean, text }. */
  async end(seconds) {
    this.ended = true;
    const { game, moves, attempt } = this;
    const aided = moves.some(({ what }) => what === "hint");
    let judged = { clean: game.solved && !aided && !this.slips && attempt === 1, text: "" };
    if (config.server && game.solved && this.judgeable) {
      try {
        judged = await ask("judge", {
          kind: game.kind,
          board: this.board,
          solution: this.solution,
          moves,
          attempt: attempt ?? 1,
        });
      } catch (problem) {
        judged = { clean: false, text: problem.message };
      }
    }
    const attempts = store.get("attempts", []);
    if (attempt === 1) {
      attempts.push({
        id: this.id,
        kind: game.kind,
        depth: this.known.depth,
        clean: judged.clean,
        seconds: Math.round(seconds),
      });
      store.set("attempts", attempts.slice(-KEPT));
    }
    return judged;
  }
}

/** What is remembered, in sentences. */
async function recordWords() {
  const attempts = store.get("attempts", []);
  if (!attempts.length) return "No board has been finished in this browser yet.";
  const clean = attempts.filter((one) => one.clean).length;
  const words = [`${many(attempts.length, "board")} finished at the first attempt, ${clean} of them clean.`];
  const rated = attempts
    .filter((one) => typeof one.depth === "number")
    .map(({ depth, clean: won }) => ({ depth, clean: won }));
  if (config.server && rated.length) {
    try {
      const found = await ask("rating", { attempts: rated });
      words.push(
        found.shown
          ? `Rating ${found.rating}${found.settled ? "" : " (not settled yet)"}, between ${found.low} and ${found.high}.`
          : `A rating is shown from 20 boards made here on; there are ${rated.length}.`,
      );
    } catch (problem) {
      words.push(problem.message);
    }
  }
  return words.join(" ");
}
