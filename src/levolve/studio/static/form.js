// The form of a recipe. Names, sentences and limits of every setting come from the library.

import { get, post } from "/static/api.js";
import { action, element } from "/static/page.js";

/** A form for the settings of a recipe. `changes()` returns those that differ from the recipe. */
export class RecipeForm {
  constructor(recipe) {
    this.recipe = recipe;
    this.changed = {};
    this.element = element("div", { className: "settings" });
  }

  async load() {
    const path = `/recipes/${encodeURIComponent(this.recipe)}`;
    const { form } = Object.keys(this.changed).length ? await post(`${path}/form`, this.changed) : await get(path);
    const open = new Set([...this.element.querySelectorAll("details[open]")].map((group) => group.dataset.title));
    this.element.replaceChildren(...form.map((group) => this.group(group, open.size ? open.has(group.title) : group.title === "general")));
    return this;
  }

  changes() {
    return this.changed;
  }

  group({ title, fields }, open) {
    return element("details", { open, "data-title": title }, element("summary", {}, title), ...fields.map((field) => this.field(field)));
  }

  field(field) {
    const name = field.path.split(".").slice(field.path.includes(".") ? 1 : 0).join(" ");
    const id = `setting-${field.path}`;
    const help = field.meaning ? element("small", { id: `${id}-help` }, field.meaning + limits(field)) : null;
    const input = this.input(field, id, help);
    return element("div", { className: `field ${field.type}` }, element("label", { htmlFor: id }, name.replaceAll("_", " ")), input, help);
  }

  input(field, id, help) {
    const common = { id, "aria-describedby": help ? help.id : null };
    const set = (value) => { this.changed[field.path] = value; };
    if (field.type === "choice") {
      const options = field.choices.map((choice) => element("option", { value: choice, selected: choice === field.value }, choice));
      const choose = async (event) => {
        const chosen = event.target.value;
        if (field.path.endsWith(".kind")) {
          // Settings of the old kind no longer exist.
          const prefix = field.path.slice(0, -"kind".length);
          for (const path of Object.keys(this.changed)) if (path.startsWith(prefix)) delete this.changed[path];
        }
        set(chosen);
        if (field.path.endsWith(".kind")) await this.load();
      };
      return element("select", { ...common, onchange: action(choose) }, ...options);
    }
    if (field.type === "switch") return element("input", { ...common, type: "checkbox", checked: field.value, onchange: (event) => set(event.target.checked) });
    if (field.type === "integer" || field.type === "number") {
      const read = (event) => set(event.target.value === "" ? null : Number(event.target.value));
      const steps = { min: field.least, max: field.most, step: field.type === "integer" ? 1 : "any" };
      return element("input", { ...common, ...withoutEmpty(steps), type: "number", value: field.value ?? "", oninput: read });
    }
    if (field.type === "data") {
      const read = (event) => {
        try {
          set(event.target.value ? JSON.parse(event.target.value) : null);
          event.target.setCustomValidity("");
        } catch {
          event.target.setCustomValidity("Expected JSON, such as [1, 2].");
        }
      };
      return element("input", { ...common, type: "text", value: field.value === null ? "" : JSON.stringify(field.value), onchange: read });
    }
    return element("input", { ...common, type: "text", value: field.value ?? "", oninput: (event) => set(event.target.value) });
  }
}

function withoutEmpty(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}

function limits({ least, most }) {
  if (least === undefined && most === undefined) return "";
  if (most === undefined) return ` From ${least}.`;
  return least === undefined ? ` Up to ${most}.` : ` From ${least} to ${most}.`;
}
