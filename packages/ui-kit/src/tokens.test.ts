import { differenceCiede2000, wcagContrast } from "culori";
import { tokens } from "../testing/tokens.ts";

const onOneLine = tokens.replaceAll(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")");
const accents = [
  ...tokens.matchAll(
    /--accent-hue: (?<hue>\d+);\s+--accent-chroma: (?<chroma>[\d.]+);[^}]*?--bubble-hue: (?<bubble>\d+);/g,
  ),
].map(({ groups }) => groups as { hue: string; chroma: string; bubble: string });
type Accent = (typeof accents)[number];

/** Returns the colour of a token in the light or the dark scheme. */
function colour(name: string, scheme: "light" | "dark", { hue, chroma, bubble }: Accent): string {
  const [, light, dark] =
    new RegExp(`--color-${name}: light-dark\\((#\\w+|oklch\\(.*?\\)\\)), (#\\w+|oklch\\(.*?\\)\\))\\);`).exec(
      onOneLine,
    ) ?? [];
  const value = scheme === "light" ? light : dark;
  if (value === undefined) throw new Error(`tokens.css has no pair of colours named ${name}`);
  const known = { "--accent-hue": hue, "--accent-chroma": chroma, "--bubble-hue": bubble };
  return Object.entries(known).reduce((text, [variable, number]) => text.replace(`var(${variable})`, number), value);
}

it("has six accents", () => {
  expect(new Set(accents.map(({ hue }) => hue)).size).toBe(6);
});

it.each(
  accents.flatMap((accent) => [
    { ...accent, scheme: "light" as const },
    { ...accent, scheme: "dark" as const },
  ]),
)("is readable with hue $hue in the $scheme scheme", ({ scheme, ...accent }) => {
  const contrast = (text: string, ground: string) =>
    wcagContrast(colour(text, scheme, accent), colour(ground, scheme, accent));
  const tooWeak = [
    ["on-accent", "accent", 4.5],
    ["on-accent", "accent-hover", 4.5],
    ["on-accent", "accent-pressed", 4.5],
    ["on-accent-soft", "accent-soft", 4.5],
    ["link", "bg", 4.5],
    ["link", "surface", 4.5],
    ["on-bubble-own", "bubble-own", 4.5],
    ["text-muted", "bubble-own", 4.5],
    ["link", "bubble-own", 4.5],
    ["link", "info-soft", 4.5],
    ["text", "pattern", 4.5],
    ["text-muted", "pattern", 4.5],
    ["link", "pattern", 4.5],
    ["danger", "pattern", 4.5],
    ["read", "bubble-own", 3],
    ["accent", "surface", 3],
    ["accent", "bg", 3],
  ].filter(([text, ground, least]) => contrast(text as string, ground as string) < (least as number));
  expect(tooWeak).toEqual([]);
});

it("has six backgrounds, which are drawn in the colour of patterns only", () => {
  const drawn = [...tokens.matchAll(/\[data-background="\w+"\] \{([^}]*)\}/g)].map(([, rule]) => rule as string);
  // The sixth is plain.
  expect(drawn).toHaveLength(5);
  const colours = drawn.flatMap((rule) => rule.match(/#\w+|(?:rgb|oklch|light-dark)\(|var\(--[^)]*\)/g));
  expect(new Set(colours)).toEqual(new Set(["var(--color-pattern)"]));
});

it("gives own messages a colour that the selected row does not have", () => {
  for (const accent of accents) {
    for (const scheme of ["light", "dark"] as const) {
      const [own, selected] = [colour("bubble-own", scheme, accent), colour("accent-soft", scheme, accent)];
      expect(differenceCiede2000()(own, selected)).toBeGreaterThan(8);
    }
  }
});
