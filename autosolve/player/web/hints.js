// Owns how advice is told: hints, checks, chances and explanations, laid over the board stage by stage.

const TECHNIQUES = {
  one: "one sentence",
  two: "two sentences",
  subset: "several sentences",
  contradiction: "by contradiction",
  nested: "by cases",
  total: "by the number of mines",
  sat: "by search",
};
const HINT_STAGES = ["Where to look", "Which clues", "The move"];

class Advice {
  /**
   * ``make``  makes a step's move on the board: (cells, mine)
   * ``tell``  is told when advice was taken
   */
  constructor(view, make, tell) {
    this.view = view;
    this.make = make;
    this.tell = tell;
    this.source = null;
    this.game = null;
    this.question = 0; // answers to older questions are not shown
    this.mode = null; // null, "hint", "note" or "explain"
    this.stage = 0;
    this.answer = null;
    this.steps = [];
    this.step = 0;
  }

  /** Advice on another game; ``plan`` is what the page carries for it, or null. */
  begin(game, plan) {
    this.game = game;
    this.source = plan ? new Planned(plan) : config.server ? served : null;
    this.close();
  }

  /** Nothing is laid over the board any more. */
  close() {
    this.question += 1;
    this.mode = null;
    this.answer = null;
    element("advice").hidden = true;
    if (this.view.game) this.view.lay();
  }

  /** The board has changed: what was said of it is past, a walk through the solution goes on. */
  changed() {
    if (this.mode === "explain") this.showStep();
    else if (this.mode) this.close();
  }

  cell([r, c]) {
    return r * this.game.cols + c;
  }

  // -------------------------------------------------------------- hint: where to look, which clues, the move

  async hint() {
    if (this.mode === "hint" && this.answer?.status === "step" && this.stage < 2) {
      this.stage += 1;
      this.showHint();
      return;
    }
    const answer = await this.asking("hint", () => this.source.hint(this.game));
    if (!answer) return;
    this.mode = "hint";
    this.stage = 0;
    this.answer = answer;
    if (answer.status === "step") this.tell();
    this.showHint();
  }

  showHint() {
    const { answer, stage } = this;
    if (answer.status === "step") {
      this.layStep(answer, stage);
      const words = ["Something can be proven among the shaded cells.", this.clueWords(answer.clues), answer.text];
      this.show(`Hint ${stage + 1} of 3: ${HINT_STAGES[stage]}`, words[stage], {
        more: ["Show the clues", "Show the move", null][stage],
        make: stage === 2,
      });
    } else if (answer.status === "stuck") {
      this.layOdds(answer);
      this.show(answer.odds ? "Nothing is certain: chances of a mine in per cent" : "Nothing is certain", answer.text);
      if (answer.odds) this.tell();
    } else if (answer.status === "done") {
      this.show("Hint", answer.text ?? "Nothing is left to find.");
    } else {
      this.layMarks(answer.cells ?? []);
      this.show(answer.status === "wrong" ? "A mark is wrong" : "The clues clash", answer.text);
    }
  }

  clueWords(clues) {
    const words = clues.map((source) => {
      if (source.clue)
        return `the ${this.game.clues[this.cell(source.clue)]} at r${source.clue[0] + 1}c${source.clue[1] + 1}`;
      if ("row" in source) return `the total of row ${source.row + 1}`;
      if ("column" in source) return `the total of column ${source.column + 1}`;
      return "the number of mines on the board";
    });
    const last = words.pop();
    const all = words.length ? `${words.join(", ")} and ${last}` : (last ?? "the board as a whole");
    return `${all[0].toUpperCase()}${all.slice(1)} ${words.length ? "prove it together" : "proves it"}.`;
  }

  /** Shades a step as far as a stage tells it. */
  layStep(step, stage, known = new Map()) {
    const laid = new Map(known);
    const add = (cell, classes, words) => {
      const before = laid.get(cell);
      laid.set(cell, {
        classes: [before?.classes, classes].filter(Boolean).join(" "),
        words: [before?.words, words].filter(Boolean).join(", "),
      });
    };
    const named = [];
    step.where.forEach((at) => add(this.cell(at), "region", stage ? "" : "look here"));
    if (stage > 0) {
      for (const source of step.clues) {
        if (source.clue) add(this.cell(source.clue), "because", "one of the reasons");
        else if ("row" in source) named.push(this.game.size + source.row);
        else if ("column" in source) named.push(this.game.size + this.game.rows + source.column);
      }
    }
    if (stage > 1) {
      const mine = step.verdict === "mine";
      const word =
        this.game.kind === "mosaic" ? (mine ? "must be filled" : "must be empty") : mine ? "must be a mine" : "is safe";
      step.cells.forEach((at) => add(this.cell(at), mine ? "proven mine-proven" : "proven safe-proven", word));
    }
    this.view.lay(laid, named);
    const first = stage > 1 ? step.cells[0] : (step.clues.find((source) => source.clue)?.clue ?? step.where[0]);
    if (first) this.view.cells[this.cell(first)].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  layOdds({ odds, best = [] }) {
    const laid = new Map();
    const candidates = (odds ?? []).flat().filter((chance) => chance !== null).length;
    const least = new Set(best.length < candidates ? best.map((at) => this.cell(at)) : []);
    (odds ?? []).forEach((row, r) =>
      row.forEach((chance, c) => {
        if (chance === null) return;
        const cell = this.cell([r, c]);
        const text = percent(chance);
        laid.set(cell, {
          classes: `chance heat-${Math.min(4, Math.floor(chance * 5))}${least.has(cell) ? " best" : ""}`,
          text,
          words: `${text} per cent${least.has(cell) ? ", the least risk" : ""}`,
        });
      }),
    );
    this.view.lay(laid);
  }

  layMarks(cells) {
    this.view.lay(new Map(cells.map((at) => [this.cell(at), { classes: "faulty", words: "wrong mark" }])));
    if (cells.length) this.view.cells[this.cell(cells[0])].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  makeMove() {
    const { cells, verdict } = this.mode === "explain" ? this.steps[this.step] : this.answer;
    this.make(
      cells.map((at) => this.cell(at)),
      verdict === "mine",
    );
  }

  // -------------------------------------------------------------- check

  async check(known) {
    let wrong = known ? wrongMarks(this.game, known) : null;
    let certain = true;
    if (!wrong) {
      const answer = await this.asking("check", () => this.source.hint(this.game));
      if (!answer) return;
      wrong = answer.status === "wrong" || answer.status === "contradiction" ? (answer.cells ?? []) : [];
      certain = false;
    }
    this.mode = "note";
    this.layMarks(wrong);
    const right = this.game.marked(FLAG).length + this.game.marked(SAFE).length;
    const good = !right
      ? "There is no mark to check yet."
      : certain
        ? `All ${many(right, "mark")} ${right === 1 ? "is" : "are"} right.`
        : "No mark is proven to be wrong.";
    this.show("Check", wrong.length ? saidWrong(wrong.length) : good.replace("All 1 mark", "The one mark"));
  }

  // -------------------------------------------------------------- the solution, step by step

  async explain() {
    const answer = await this.asking("explain", () => this.source.explain(this.game));
    if (!answer) return;
    this.mode = "explain";
    this.steps = answer.steps;
    this.step = 0;
    this.ending = answer;
    if (!this.steps.length) {
      const words =
        answer.text ||
        (this.game.kind === "reveal"
          ? "Nothing more can be proven as the board stands."
          : "There is nothing to explain.");
      this.mode = "note";
      if (answer.status === "contradiction") this.layMarks(answer.cells ?? []);
      this.show("The solution", words);
      return;
    }
    this.tell();
    this.showStep();
  }

  showStep() {
    const step = this.steps[this.step];
    const known = new Map();
    for (const { cells, verdict } of this.steps.slice(0, this.step)) {
      const mine = verdict === "mine";
      for (const at of cells) {
        const cell = this.cell(at);
        if (!this.game.says(cell, mine))
          known.set(cell, {
            classes: mine ? "ghost-mine" : "ghost-safe",
            words: mine ? "proven a mine" : "proven safe",
          });
      }
    }
    this.layStep(step, 2, known);
    const last = this.step === this.steps.length - 1;
    const ending = last && this.ending.status !== "unique" ? " Nothing more can be proven from here." : "";
    this.show(
      `Step ${this.step + 1} of ${this.steps.length}: ${step.pattern ?? TECHNIQUES[step.technique]}`,
      step.text + ending,
      {
        make: true,
        walk: [this.step > 0, !last],
      },
    );
  }

  goStep(by) {
    this.step = Math.min(this.steps.length - 1, Math.max(0, this.step + by));
    this.showStep();
  }

  // -------------------------------------------------------------- the panel

  /** The answer of a question, null where it failed or another one was asked meanwhile. */
  async asking(title, question) {
    if (!this.source) {
      this.mode = "note";
      this.view.lay();
      this.show(
        "No hints here",
        "Hints for this board come from the local server: start 'autosolve play' and open it there.",
      );
      return null;
    }
    this.question += 1;
    const mine = this.question;
    element("table").setAttribute("aria-busy", "true");
    try {
      const answer = await question();
      return mine === this.question ? answer : null;
    } catch (problem) {
      if (mine === this.question) {
        this.mode = "note";
        this.show(`No ${title}`, problem.message);
      }
      return null;
    } finally {
      element("table").removeAttribute("aria-busy");
    }
  }

  show(title, words, { more = null, make = false, walk = null } = {}) {
    element("advice").hidden = false;
    say("advice-title", title);
    say("advice-text", words);
    element("advice-more").hidden = !more;
    say("advice-more", more ?? "");
    element("advice-make").hidden = !make || this.game.over;
    element("advice-back").hidden = element("advice-next").hidden = !walk;
    if (walk) [element("advice-back").disabled, element("advice-next").disabled] = [!walk[0], !walk[1]];
  }

  listen() {
    element("hint").addEventListener("click", () => this.hint());
    element("advice-more").addEventListener("click", () => this.hint());
    element("advice-make").addEventListener("click", () => this.makeMove());
    element("advice-back").addEventListener("click", () => this.goStep(-1));
    element("advice-next").addEventListener("click", () => this.goStep(1));
    element("advice-close").addEventListener("click", () => this.close());
    element("explain").addEventListener("click", () => this.explain());
  }
}

/** A chance in per cent to a tenth; what is possible but rare is not called impossible, nor the other way round. */
function percent(chance) {
  if (chance > 0 && chance < 0.001) return "<0.1";
  if (chance < 1 && chance > 0.999) return ">99.9";
  return (100 * chance).toFixed(1).replace(".0", "");
}
