import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
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

/** Runs axe in both themes, one of them wide and one at 320 px, where a touch screen and other adaptations are checked too. */
export async function hasNoViolation(page: Page, state: string): Promise<void> {
  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 320],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(settle);
    // There are no frames; otherwise axe would open a second page for each analysis.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    expect(found, `${state}, ${colorScheme}, ${width} px`).toEqual([]);
  }
  expect.soft(await adaptationProblems(page), `${state}, 320 px`).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
}
