// Owns what a person set once and finds again: theme, hand, what a tap does, the marks of finished clues.

/** What the browser keeps for this page; a browser that keeps nothing still plays. */
const store = {
  get(key, otherwise = null) {
    try {
      return JSON.parse(localStorage.getItem(`autosolve-${key}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`autosolve-${key}`, JSON.stringify(value));
    } catch {
      // then it is forgotten with the page
    }
  },
};

const settings = {
  values: { theme: "system", hand: "right", finished: true, ...store.get("settings", {}) },
  wish: matchMedia("(prefers-color-scheme: dark)"),

  change(name, value) {
    this.values[name] = value;
    store.set("settings", this.values);
    this.apply();
  },

  get theme() {
    const { theme } = this.values;
    return theme === "system" ? (this.wish.matches ? "dark" : "light") : theme;
  },

  apply() {
    const page = document.documentElement;
    page.dataset.theme = this.theme;
    page.dataset.hand = this.values.hand;
    page.classList.toggle("finished", this.values.finished);
    const other = this.theme === "dark" ? "Light" : "Dark";
    element("theme").setAttribute("aria-label", `${other} theme`);
    element("theme").title = `${other} theme`;
    for (const [name, value] of Object.entries(this.values)) {
      document.querySelectorAll(`[name="setting-${name}"]`).forEach((field) => {
        field.checked = field.type === "checkbox" ? value : field.value === value;
      });
    }
  },

  listen() {
    this.wish.addEventListener("change", () => this.apply());
    element("theme").addEventListener("click", () => this.change("theme", this.theme === "dark" ? "light" : "dark"));
    element("settings-form").addEventListener("change", ({ target }) => {
      this.change(target.name.replace("setting-", ""), target.type === "checkbox" ? target.checked : target.value);
    });
    this.apply();
  },
};
