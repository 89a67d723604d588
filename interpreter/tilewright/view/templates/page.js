// Finds and filters the rows that are there; nothing is made here, and nothing is asked for.
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (what, within = document) => [...within.querySelectorAll(what)];
  const find = byId("find"), state = byId("state"), section = byId("section"), shown = byId("shown");
  const impacts = all("input[name=impact]"), author = byId("author"), root = document.documentElement;
  // what a row says of itself: names of sides and of files would find everything
  const said = (row) => {
    const copy = row.cloneNode(true);
    for (const part of all("svg,.whose,.file", copy)) part.remove();
    return `${copy.textContent} ${row.id}`.toLowerCase();
  };
  const rows = all("[data-row]").map((row) => ({ row, text: said(row), isAuthors: Boolean(row.closest(".author")) }));
  const boxes = all("[data-box],[data-section]").reverse();
  const folds = all("details.fold");
  const opened = new Map(folds.map((fold) => [fold, fold.open]));

  // the filters are in the address, so that a link leads to what its sender has seen
  const address = () => {
    const chosen = impacts.filter((box) => box.checked).map((box) => box.value).join();
    const parts = { find: find.value, impact: chosen, state: state.value, section: section.value, authors: author.checked ? "1" : "" };
    const query = new URLSearchParams(Object.entries(parts).filter(([, value]) => value)).toString();
    if (query || location.hash.startsWith("#?")) history.replaceState(null, "", `#${query && "?"}${query}`);
  };

  let wasAsked = false;
  const filter = () => {
    root.toggleAttribute("data-authors", author.checked);
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = new Set(impacts.filter((box) => box.checked).map((box) => box.value));
    const asked = words.length || wanted.size || state.value || section.value;
    address();
    let count = 0, total = 0;
    for (const { row, text, isAuthors } of rows) {
      const isThere = author.checked || !isAuthors;
      const fits = isThere && (!wanted.size || wanted.has(row.dataset.impact))
        && (!state.value || row.dataset.state === state.value)
        && (!section.value || row.dataset.row === section.value)
        && words.every((word) => text.includes(word));
      row.hidden = !fits;
      count += fits;
      total += isThere;
    }
    for (const box of boxes) box.hidden = Boolean(asked) && !box.querySelector("[data-row]:not([hidden])");
    if (asked || wasAsked) for (const fold of folds) fold.open = asked ? !fold.hidden : opened.get(fold);
    wasAsked = asked;
    for (const part of all("section.plain")) part.hidden = Boolean(asked) && part.id !== "sources";
    byId("clear").parentElement.hidden = !asked;
    shown.textContent = !asked ? "" : count
      ? shown.dataset.shown.replace("##", total).replace("#", count) : shown.dataset.none;
  };
  const clear = () => {
    find.value = state.value = section.value = "";
    for (const box of impacts) box.checked = false;
    filter();
  };

  let waiting = 0;
  find.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 120); });
  find.addEventListener("keydown", (key) => { if (key.key === "Escape") clear(); });
  for (const part of [author, state, section, ...impacts]) part.addEventListener("change", filter);
  byId("clear").addEventListener("click", () => { clear(); find.focus(); });
  document.addEventListener("keydown", (key) => {
    if (key.key !== "/" || key.ctrlKey || key.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(key.target.tagName)) return;
    key.preventDefault();
    find.focus();
  });

  // a link leads to its row, even into what is folded or filtered away
  const reveal = () => {
    if (location.hash.startsWith("#?")) {
      const asked = new URLSearchParams(location.hash.slice(2)), chosen = (asked.get("impact") || "").split(",");
      for (const part of [find, state, section]) part.value = asked.get(part.id) || "";
      for (const box of impacts) box.checked = chosen.includes(box.value);
      author.checked = asked.has("authors");
      filter();
      return;
    }
    const row = location.hash.length > 1 && byId(decodeURIComponent(location.hash.slice(1)));
    if (!row) return;
    author.checked ||= Boolean(row.closest(".author"));
    filter();
    if (row.closest("[hidden]")) clear();
    for (let fold = row.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    row.scrollIntoView();
  };
  addEventListener("hashchange", reveal);

  // paper has all that differs, and what was opened
  const forPaper = all("details.topic-group,details.part").filter((fold) => !fold.closest(".author"));
  addEventListener("beforeprint", () => { for (const fold of forPaper) { fold.was = fold.open; fold.open = true; } });
  addEventListener("afterprint", () => { for (const fold of forPaper) fold.open = fold.was; });

  const theme = byId("theme");
  const kept = (value) => {
    try {
      if (value === undefined) return localStorage.getItem("tilewright-theme");
      localStorage.setItem("tilewright-theme", value);
    } catch { /* a page opened from a file may have nowhere to keep it */ }
    return null;
  };
  theme.value = kept() || "auto";
  root.dataset.theme = theme.value;
  theme.addEventListener("change", () => { root.dataset.theme = theme.value; kept(theme.value); });

  for (const part of all(".tools,.theme")) part.hidden = false;
  root.classList.add("scripted");
  filter();
  reveal();
})();
