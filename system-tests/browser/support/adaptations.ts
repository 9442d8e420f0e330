import type { Page } from "@playwright/test";

/** Most focus stops that are checked on one screen. */
const MOST_STOPS = 14;

/**
 * Returns what a person misses on a small touch screen: controls below 44 px, content beyond the edges, motion despite
 * reduced motion, text that is cut with wider spacing, and a focus that is invisible with forced colours or covered.
 */
export async function adaptationProblems(page: Page): Promise<string[]> {
  // Firefox cannot emulate a touch screen and forced colours. A Tab beyond the last stop takes the focus out of its
  // headless page for good.
  const isChromium = page.context().browser()?.browserType().name() === "chromium";
  const leastPixels = isChromium ? 44 : 24;
  const problems = [...(await page.evaluate(layoutProblems, leastPixels)), ...(await page.evaluate(movingParts))];
  await page.evaluate(setTextSpacing, true);
  const spaced = await page.evaluate(layoutProblems, leastPixels);
  problems.push(...spaced.map((problem) => `with text spacing: ${problem}`));
  await page.evaluate(setTextSpacing, false);
  if (isChromium) {
    await page.emulateMedia({ forcedColors: "active" });
    problems.push(...(await focusProblems(page)));
    await page.emulateMedia({ forcedColors: "none" });
  }
  return [...new Set(problems)];
}

/**
 * @param leastPixels least width and height of a control: 44 for fingers, 24 for a mouse (WCAG 2.2, 2.5.5 and 2.5.8)
 */
function layoutProblems(leastPixels: number): string[] {
  const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const isShown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const nameOf = (element: Element) =>
    `${element.localName} "${(element.ariaLabel ?? element.textContent ?? "").trim().slice(0, 30)}"`;
  const sizeOf = (element: Element) => {
    // A field with a border around it: a press anywhere inside the border reaches the field.
    const box = element.matches("input, textarea") ? (element.parentElement ?? element) : element;
    return box.getBoundingClientRect();
  };
  const problems: string[] = [];
  for (const control of root.querySelectorAll("a[href], button, input, textarea, [role=radio], [role=menuitem]")) {
    // A link inside a sentence may be as small as the text.
    if (!isShown(control) || getComputedStyle(control).display === "inline") continue;
    const { width, height } = sizeOf(control);
    if (Math.min(width, height) < leastPixels - 0.5) {
      problems.push(`${nameOf(control)} is ${Math.round(width)} by ${Math.round(height)} px`);
    }
  }
  for (const part of root.querySelectorAll("a, button, input, textarea, h1, h2, h3, p, img, time, article")) {
    const { left, right } = part.getBoundingClientRect();
    if (isShown(part) && (left < -0.5 || right > innerWidth + 0.5)) problems.push(`${nameOf(part)} is beyond the edge`);
  }
  for (const text of root.querySelectorAll("button, a, label, h1, h2, h3, p, dialog *")) {
    const { overflowX, overflowY, webkitLineClamp, textOverflow } = getComputedStyle(text);
    const isCutOnPurpose = webkitLineClamp !== "none" || textOverflow === "ellipsis" || text.clientWidth <= 1;
    if (!isShown(text) || isCutOnPurpose || text.closest("svg")) continue;
    const isCut =
      (overflowX === "hidden" && text.scrollWidth > text.clientWidth + 1) ||
      (overflowY === "hidden" && text.scrollHeight > text.clientHeight + 1);
    if (isCut) problems.push(`${nameOf(text)} is cut`);
  }
  const { scrollWidth } = document.documentElement;
  return scrollWidth > innerWidth ? [...problems, `the page is ${scrollWidth} px wide`] : problems;
}

function movingParts(): string[] {
  const moving = document.getAnimations().filter(({ playState, effect }) => {
    const { duration, iterations } = effect?.getComputedTiming() ?? {};
    return playState === "running" && (iterations === Number.POSITIVE_INFINITY || Number(duration) > 10);
  });
  return moving.map(({ effect }) => `${(effect as KeyframeEffect).target?.className} moves`);
}

// Through the CSSOM, because the page's policy forbids style elements.
function setTextSpacing(isWide: boolean): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
    p { margin-block-end: 2em !important; }`);
  document.adoptedStyleSheets = isWide ? [sheet] : [];
}

/** Moves through the screen with Tab. */
async function focusProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press("Tab");
    const { name, problem } = await settledFocus(page);
    if (name === "" || seen.has(name)) break;
    seen.add(name);
    if (problem) problems.push(problem);
  }
  return problems;
}

/** Returns the focused element after the screen has scrolled to it, which can take some frames. */
async function settledFocus(page: Page): Promise<ReturnType<typeof focusedElement>> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await page.evaluate(focusedElement);
    if (!found.problem || attempt === 20) return found;
    await page.waitForTimeout(100);
  }
}

function focusedElement(): { name: string; problem: string | null } {
  const element = document.activeElement;
  if (!element || element === document.body) return { name: "", problem: null };
  const name = `${element.localName} "${element.ariaLabel ?? element.textContent?.trim().slice(0, 30)}" ${element.id}`;
  const hasOutline = (one: Element | null) => {
    const { outlineStyle, outlineWidth } = one ? getComputedStyle(one) : { outlineStyle: "none", outlineWidth: "0" };
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
  };
  if (!hasOutline(element) && !hasOutline(element.parentElement))
    return { name, problem: `${name}: focus is invisible` };
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [x, y] = [
    (Math.max(left, 0) + Math.min(right, innerWidth)) / 2,
    (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2,
  ];
  const atPoint = document.elementFromPoint(x, y);
  const isReached = atPoint !== null && (element.contains(atPoint) || atPoint.contains(element));
  return { name, problem: isReached ? null : `${name}: focus is covered by ${atPoint?.localName ?? "nothing"}` };
}
