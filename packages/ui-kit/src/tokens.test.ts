import { wcagContrast } from "culori";
import { tokens } from "../testing/tokens.ts";

const hues = [...tokens.matchAll(/--accent-hue: (\d+);/g)].map(([, hue]) => hue as string);

/** Returns the colour of a token in the light or the dark scheme. */
function colour(name: string, scheme: "light" | "dark", hue: string): string {
  const [, light, dark] =
    new RegExp(`--color-${name}: light-dark\\((#\\w+|oklch\\([^)]*\\)\\)), (#\\w+|oklch\\([^)]*\\)\\))\\);`).exec(
      tokens,
    ) ?? [];
  const value = scheme === "light" ? light : dark;
  if (value === undefined) throw new Error(`tokens.css has no pair of colours named ${name}`);
  return value.replace("var(--accent-hue)", hue);
}

it("has six accents", () => {
  expect(new Set(hues).size).toBe(6);
});

it.each(hues.flatMap((hue) => (["light", "dark"] as const).map((scheme): [string, "light" | "dark"] => [hue, scheme])))(
  "is readable with hue %s in the %s scheme",
  (hue, scheme) => {
    const contrast = (text: string, ground: string) =>
      wcagContrast(colour(text, scheme, hue), colour(ground, scheme, hue));
    const tooWeak = [
      ["on-accent", "accent", 4.5],
      ["on-accent", "accent-hover", 4.5],
      ["on-accent", "accent-pressed", 4.5],
      ["on-accent-soft", "accent-soft", 4.5],
      ["link", "bg", 4.5],
      ["link", "surface", 4.5],
      ["on-bubble-own", "bubble-own", 4.5],
      ["text-muted", "bubble-own", 4.5],
      ["read", "bubble-own", 3],
      ["accent", "surface", 3],
      ["accent", "bg", 3],
    ].filter(([text, ground, least]) => contrast(text as string, ground as string) < (least as number));
    expect(tooWeak).toEqual([]);
  },
);
