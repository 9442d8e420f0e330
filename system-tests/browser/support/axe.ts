import type { Page } from "@playwright/test";
import axeCore, { type AxeResults } from "axe-core";
import { adaptationProblems } from "./adaptations.ts";
import { expect } from "./test.ts";

/** Waits for transitions and those that follow them, because axe checks the current colours. */
async function settle(): Promise<void> {
  const running = () =>
    document
      .getAnimations()
      .filter(
        ({ playState, effect }) => playState === "running" && Number.isFinite(effect?.getComputedTiming().endTime),
      );
  for (let ending = running(); ending.length > 0; ending = running())
    await Promise.allSettled(ending.map((animation) => animation.finished));
}

/** Runs axe in the page, which has no frames. Its code stays there until the page loads again. */
async function findViolations(page: Page): Promise<AxeResults["violations"]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeCore.source);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof axeCore };
    return (await axe.run({ resultTypes: ["violations"] })).violations;
  });
}

/**
 * Runs axe in both themes, one of them wide and one at 320 px, where a touch screen and other adaptations are checked
 * too.
 */
export async function hasNoViolation(page: Page, state: string): Promise<void> {
  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 320],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(settle);
    const violations = await findViolations(page);
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    expect(found, `${state}, ${colorScheme}, ${width} px`).toEqual([]);
  }
  expect.soft(await adaptationProblems(page), `${state}, 320 px`).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
}
