"""What the page of an evaluation can do: sort and filter its table, choose the slice of curves.

Without it the page shows everything, and curves unfold one by one.
"""

from __future__ import annotations

SCRIPT = """
(() => {
  const byId = (id) => document.getElementById(id);
  for (const controls of document.querySelectorAll(".controls")) controls.hidden = false;

  const tables = [...document.querySelectorAll("table.metrics")].map((table) => {
    const body = table.tBodies[0];
    return {body, rows: [...body.rows], heads: [...table.querySelectorAll("th[data-c]")],
            groups: [...table.querySelectorAll("th.group")]};
  });
  const words = (cell) => (cell.querySelector("[title]") || cell).title || cell.textContent;
  const wantedIn = (id) => byId(id) ? byId(id).value.trim().toLowerCase() : "";

  const filterSlices = () => {
    const wanted = wantedIn("filter");
    let count = 0, all = 0;
    for (const {rows} of tables) {
      for (const row of rows) {
        const fits = words(row.cells[0]).toLowerCase().includes(wanted);
        row.hidden = !fits;
        count += fits;
        all += 1;
      }
    }
    byId("found").textContent = wanted ? `${count} of ${all} slices` : "";
  };
  const filterMetrics = () => {
    const wanted = wantedIn("metrics");
    for (const {rows, heads, groups} of tables) {
      const shown = heads.map((head) => head.dataset.g === undefined ||
        `${words(head)} ${head.dataset.g}`.toLowerCase().includes(wanted));
      heads.forEach((head, index) => { head.hidden = !shown[index]; });
      for (const row of rows) {
        shown.forEach((fits, index) => { row.cells[index].hidden = !fits; });
      }
      let place = heads.findIndex((head) => head.dataset.g !== undefined);
      for (const group of groups) {
        const span = group.dataset.span = group.dataset.span || group.colSpan;
        const count = shown.slice(place, place += Number(span)).filter(Boolean).length;
        group.hidden = count === 0;
        group.colSpan = count || 1;
      }
    }
  };

  const number = (cell, by) => {
    const text = cell.dataset[by] === undefined ? cell.dataset.v : cell.dataset[by];
    const value = {inf: Infinity, "-inf": -Infinity}[text];
    return value === undefined ? Number(text === undefined ? NaN : text) : value;
  };
  const sort = (table, index, direction) => {
    const by = byId("by") ? byId("by").value : "v";
    const values = new Map(table.rows.map((row) => [row, number(row.cells[index], by)]));
    const compare = (a, b) => {
      const [first, second] = [values.get(a), values.get(b)];
      if (index === 0) return direction * words(a.cells[0]).localeCompare(words(b.cells[0]));
      // What is not a number comes last.
      if (Number.isNaN(first) || Number.isNaN(second)) {
        return Number.isNaN(first) - Number.isNaN(second);
      }
      return first === second ? 0 : direction * (first < second ? -1 : 1);
    };
    const ordered = direction ? [...table.rows].sort(compare) : table.rows;
    // All examples stay on top.
    const isAll = (row) => row.classList.contains("all");
    table.body.append(...ordered.filter(isAll), ...ordered.filter((row) => !isAll(row)));
  };
  for (const table of tables) {
    let sorted = null, direction = 0;
    const show = (head) => {
      for (const other of table.heads) other.removeAttribute("aria-sort");
      if (direction) head.setAttribute("aria-sort", direction < 0 ? "descending" : "ascending");
      sort(table, Number(head.dataset.c), direction);
    };
    for (const head of table.heads) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        // Largest first, smallest first, as it was; names begin at A.
        const steps = head.dataset.c === "0" ? [1, -1, 0] : [-1, 1, 0];
        direction = sorted === head ? steps[(steps.indexOf(direction) + 1) % 3] : steps[0];
        sorted = head;
        show(head);
      });
    }
    if (byId("by")) byId("by").addEventListener("change", () => { if (sorted) show(sorted); });
  }
  if (byId("filter")) byId("filter").addEventListener("input", filterSlices);
  if (byId("metrics")) byId("metrics").addEventListener("input", filterMetrics);

  const plots = [...document.querySelectorAll("details.plots")];
  const choice = byId("slice");
  if (choice) choice.closest(".controls").hidden = plots.length < 2;
  if (choice && plots.length > 1) {
    plots.forEach((plot, index) => {
      plot.classList.add("picked");
      choice.append(new Option(plot.querySelector("summary").textContent, index));
    });
    const pick = () => plots.forEach((plot, index) => {
      plot.hidden = index !== Number(choice.value);
      plot.open = !plot.hidden;
    });
    choice.addEventListener("change", pick);
    pick();
  }
})();
"""
