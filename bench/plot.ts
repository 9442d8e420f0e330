const WIDTH = 640;
const HEIGHT = 320;
const LEFT = 64;
const RIGHT = 16;
const TOP = 40;
const BOTTOM = 48;
const COLOURS = ["#7c3aed", "#0f766e", "#c2410c", "#1d4ed8"];

/** A named line through points. */
export interface Line {
  name: string;
  points: readonly (readonly [x: number, y: number])[];
}

/** Draws lines over few values of x, from zero up, as an SVG that reads well on a light and on a dark page. */
export function drawLines(title: string, xTitle: string, lines: readonly Line[]): string {
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
  const top = 1.4 * Math.max(...lines.flatMap(({ points }) => points.map(([, y]) => y)));
  const atX = (x: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * (xs.indexOf(x) + 0.5)) / xs.length;
  const atY = (y: number): number => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * y) / top;
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const y = atY(share * top).toFixed(1);
    const label = text(LEFT - 8, Number(y) + 4, Number((share * top).toPrecision(2)).toLocaleString("en"), "end");
    return `<path d="M${LEFT} ${y}H${WIDTH - RIGHT}" stroke="#8888" stroke-width="0.5"/>${label}`;
  });
  const drawn = lines.map(({ name, points }, index) => {
    const colour = COLOURS[index % COLOURS.length] as string;
    const path = points.map(([x, y]) => `${atX(x).toFixed(1)} ${atY(y).toFixed(1)}`).join("L");
    const dots = points.map(
      ([x, y]) => `<circle cx="${atX(x).toFixed(1)}" cy="${atY(y).toFixed(1)}" r="3.5" fill="${colour}"/>`,
    );
    const legend = text(LEFT + 8, TOP + 16 * index + 8, name, "start", colour);
    return `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join("")}${legend}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${asMarkup(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(LEFT, 22, title, "start", "#222", "bold"),
    ...grid,
    ...xs.map((x) => text(atX(x), HEIGHT - BOTTOM + 18, x.toLocaleString("en"), "middle")),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, xTitle, "middle"),
    ...drawn,
    "</svg>\n",
  ].join("\n");
}

function text(x: number, y: number, content: string, anchor: string, colour = "#555", weight = "normal"): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}" font-weight="${weight}">${asMarkup(content)}</text>`;
}

const asMarkup = (content: string): string => content.replace(/&/g, "&amp;").replace(/</g, "&lt;");
