// Markdown of the language server becomes HTML by a library; only plain elements of text pass, without
// attributes, so that nothing of a ruleset can become a link, a style or a script.

const KEPT = new Set([
  "P",
  "CODE",
  "PRE",
  "EM",
  "STRONG",
  "UL",
  "OL",
  "LI",
  "BR",
  "HR",
  "H3",
  "H4",
]);

/** The same text with the plain elements only; everything else is left as its text. */
export function safeHtml(html: string): string {
  const found = new DOMParser().parseFromString(html, "text/html").body;
  const target = document.createElement("div");
  copy(found, target);
  return target.innerHTML;
}

function copy(from: Node, to: Element): void {
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.append(child.textContent ?? "");
    else if (child instanceof Element) {
      if (["SCRIPT", "STYLE", "TEMPLATE"].includes(child.tagName)) continue;
      const next = KEPT.has(child.tagName) ? document.createElement(child.tagName) : to;
      copy(child, next);
      if (next !== to) to.append(next);
    }
  }
}
