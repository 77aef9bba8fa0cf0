/* Tables that sort. */

function element(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const key in properties)
    if (key in node) node[key] = properties[key];
    else node.setAttribute(key, properties[key]);
  node.append(...children);
  return node;
}

/* Numbers by size, with what is unknown last in either direction; text as people sort it. */
function compareValues(a, b, direction) {
  const unknownA = a === null || Number.isNaN(a), unknownB = b === null || Number.isNaN(b);
  if (unknownA || unknownB) return unknownA - unknownB;
  const order = typeof a === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  return direction * order;
}

const ROWS_AT_FIRST = 200;

/* A table in `host`. columns [{title, value(row), text(row) or node(row), number, down, wrap,
   hint}]: `value` sorts, `down` sorts large values first. show(rows) fills it. onRow(row, tr) is
   called for each row made. */
function createTable(host, caption, columns, { sort = 0, onRow, filter } = {}) {
  const table = { rows: [], sort, direction: columns[sort].down ? -1 : 1, all: false };
  const head = element("tr"), body = element("tbody"), more = element("p", { className: "more", hidden: true });
  host.replaceChildren(element("table", {}, element("caption", { className: "visually-hidden" }, caption), element("thead", {}, head), body), more);

  columns.forEach((column, index) => {
    const button = element("button", { type: "button", textContent: column.title, title: column.hint ?? "" });
    const cell = element("th", { scope: "col", className: column.number ? "number" : "" }, button);
    button.addEventListener("click", () => {
      table.direction = table.sort === index ? -table.direction : column.down ? -1 : 1;
      table.sort = index;
      fill();
    });
    head.append(cell);
  });

  table.show = (rows, visible = columns.map(() => true)) => {
    table.rows = rows;
    table.visible = visible;
    fill();
  };

  function fill() {
    const { value } = columns[table.sort];
    const rows = table.rows.filter((row) => !filter || filter(row));
    rows.sort((a, b) => compareValues(value(a), value(b), table.direction));
    const shown = table.all ? rows : rows.slice(0, ROWS_AT_FIRST);
    body.replaceChildren(...shown.map(makeRow));
    if (rows.length === 0)
      body.append(element("tr", {}, element("td", { colSpan: columns.length, className: "unsolved" }, "Nothing to show.")));
    [...head.children].forEach((cell, index) => {
      cell.hidden = !table.visible[index];
      if (index === table.sort) cell.setAttribute("aria-sort", table.direction > 0 ? "ascending" : "descending");
      else cell.removeAttribute("aria-sort");
    });
    more.hidden = shown.length === rows.length;
    if (!more.hidden) {
      const button = element("button", { type: "button", textContent: `Show all ${rows.length} rows` });
      button.addEventListener("click", () => {
        table.all = true;
        fill();
      });
      more.replaceChildren(button);
    }
  }
  table.refresh = fill;

  function makeRow(row) {
    const line = element("tr");
    columns.forEach((column, index) => {
      const cell = element("td", { className: column.number ? "number" : column.wrap ? "wrap" : "", hidden: !table.visible[index] });
      cell.append(column.node ? column.node(row) : column.text ? column.text(row) : String(column.value(row)));
      line.append(cell);
    });
    onRow?.(row, line);
    return line;
  }
  return table;
}

/* "116 / 150" with a bar of the fraction before it. */
function fractionBar(part, whole) {
  const fill = element("i");
  fill.style.width = `${whole ? (100 * part) / whole : 0}%`;
  return element("span", {}, element("span", { className: "bar", "aria-hidden": "true" }, fill), `${part} / ${whole}`);
}
