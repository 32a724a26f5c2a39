// Filters and sorts rows. Without it a page shows everything.
(() => {
  const controls = document.querySelector(".controls");
  if (!controls) return;
  controls.hidden = false;
  const byId = (id) => document.getElementById(id);
  const rows = [...document.querySelectorAll("tbody.feature")].map((row, place) => ({
    row, place, table: row.parentNode,
    name: (row.querySelector(".name b").title || row.querySelector(".name b").textContent),
    warned: row.classList.contains("warned"),
  }));
  const groups = [...document.querySelectorAll("details.group")];
  // Tables, and sections around them, go with their last row.
  const frames = [...document.querySelectorAll("table, section")].filter(
    (frame) => frame.querySelector("tbody.feature"));
  const opened = new Map(groups.map((group) => [group, group.open]));
  const filter = () => {
    const wanted = byId("filter").value.trim().toLowerCase();
    const onlyWarned = byId("warned") && byId("warned").checked;
    let count = 0;
    for (const {row, name, warned} of rows) {
      const fits = name.toLowerCase().includes(wanted) && (warned || !onlyWarned);
      row.hidden = !fits;
      count += fits;
    }
    const narrowed = wanted !== "" || onlyWarned;
    for (const group of groups) {
      const fits = group.querySelector("tbody.feature:not([hidden])") !== null;
      group.hidden = !fits;
      group.open = narrowed ? fits && count <= 1000 : opened.get(group);
    }
    for (const frame of frames) {
      frame.hidden = frame.querySelector("tbody.feature:not([hidden])") === null;
    }
    byId("found").textContent = narrowed ? `${count} of ${rows.length} features` : "";
  };
  const orders = {
    interest: (a, b) => a.place - b.place,
    name: (a, b) => a.name.localeCompare(b.name),
    warnings: (a, b) => b.warned - a.warned || a.place - b.place,
  };
  const sort = () => {
    const order = orders[byId("order").value];
    for (const {row, table} of [...rows].sort(order)) table.append(row);
  };
  byId("filter").addEventListener("input", filter);
  if (byId("warned")) byId("warned").addEventListener("change", filter);
  if (byId("order")) byId("order").addEventListener("change", sort);
})();
