/**
 * Drawings come from the program as SVG text, made from checked data. They are read as an image's
 * document, and only known elements and attributes come into the page: never a script, a style, an
 * event or an address.
 */

const ELEMENTS = new Set(
  "svg symbol defs g path rect circle ellipse line polyline polygon text tspan title desc use clipPath".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  (
    "id x y x1 y1 x2 y2 cx cy r rx ry d points width height viewBox transform fill stroke opacity " +
    "stroke-width stroke-linecap stroke-linejoin stroke-dasharray stroke-dashoffset pathLength " +
    "stroke-opacity fill-opacity " +
    "fill-rule clip-rule clip-path font-size font-weight font-family text-anchor class role " +
    "preserveAspectRatio aria-hidden aria-label dominant-baseline paint-order color xmlns " +
    "letter-spacing font-style dx dy pointer-events data-n data-cell tabindex"
  ).split(" "),
);
const SVG = "http://www.w3.org/2000/svg";
/** what a value may not have: an address outside the page */
const UNSAFE = /url\((?!['"]?#)|javascript:|expression\(|@import/i;

/** A drawing as an element of this page; null for a text that is no drawing. */
export function readSvg(text: string): SVGSVGElement | null {
  const found = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (found.namespaceURI !== SVG || found.localName !== "svg") return null;
  const copy = clean(found);
  return copy instanceof SVGSVGElement ? copy : null;
}

function clean(element: Element): Element | null {
  if (element.namespaceURI !== SVG || !ELEMENTS.has(element.localName)) return null;
  const copy = document.createElementNS(SVG, element.localName);
  for (const { name, value } of element.attributes) {
    if (name === "href" || name === "xlink:href") {
      if (value.startsWith("#")) copy.setAttribute("href", value);
    } else if (ATTRIBUTES.has(name) && name !== "xmlns" && !UNSAFE.test(value)) {
      copy.setAttribute(name, value);
    }
  }
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.textContent ?? "");
    else if (child instanceof Element) {
      const kept = clean(child);
      if (kept) copy.append(kept);
    }
  }
  return copy;
}

/**
 * The properties of a drawing whose names have their values: `--tw-b7cf82-ffffff` is #b7cf82, in light
 * and dark mode, and #ffffff on paper.
 */
export function namedColours(text: string): Record<string, string[]> {
  const colour = (digits: string): string => (digits === "none" ? "none" : `#${digits}`);
  return Object.fromEntries(
    [...text.matchAll(/--tw-(none|[0-9a-f]{6})(?:-(none|[0-9a-f]{6}))?(?=\))/g)].map(
      ([name, screen = "", paper = screen]) => {
        const light = colour(screen);
        return [name, [light, light, colour(paper)]];
      },
    ),
  );
}
