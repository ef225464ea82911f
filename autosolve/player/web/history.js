// Owns what was done and taken back: steps, each a list of [cell, state before, state after].

class History {
  constructor() {
    this.past = [];
    this.future = [];
  }

  /** A new step; what had been taken back before it is gone. */
  push(step) {
    this.past.push(step);
    this.future = [];
  }

  /** The step to walk to take the last one back, null where there is none. */
  back() {
    const step = this.past.pop();
    if (!step) return null;
    this.future.push(step);
    // in reverse, for a step may touch a cell twice
    return step.map(([cell, from, to]) => [cell, to, from]).reverse();
  }

  /** The step to walk to do again what was taken back, null where there is none. */
  forth() {
    const step = this.future.pop();
    if (!step) return null;
    this.past.push(step);
    return step;
  }
}
