import type { Page } from "@playwright/test";

type Listening = typeof window & { spoken: string[] };

/**
 * Records what a screen reader says on its own, in order. A polite region counts only if it was in the page before its
 * text changed, because screen readers do not reliably announce a region that appears together with its text. An alert
 * always counts.
 */
export async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { spoken } = Object.assign(window as Listening, { spoken: [] as string[] });
    const known = new WeakSet<Element>();
    const REGIONS = '[aria-live="polite"], [aria-live="assertive"], [role="status"], [role="alert"]';
    const isAlert = (region: Element) => region.getAttribute("role") === "alert";
    const speak = (region: Element): void => {
      const text = region.textContent?.trim().replace(/\s+/g, " ") ?? "";
      if (text !== "" && region.checkVisibility({ visibilityProperty: true })) spoken.push(text);
    };
    const elementOf = (node: Node) => (node instanceof Element ? node : node.parentElement);
    new MutationObserver((changes) => {
      const changed = new Set<Element>();
      for (const { target, addedNodes } of changes) {
        const region = elementOf(target)?.closest(REGIONS);
        if (region && (known.has(region) || isAlert(region))) changed.add(region);
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue;
          for (const added of [node, ...node.querySelectorAll(REGIONS)].filter((one) => one.matches(REGIONS))) {
            if (isAlert(added)) changed.add(added);
          }
        }
      }
      changed.forEach(speak);
      for (const region of document.querySelectorAll(REGIONS)) known.add(region);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** Returns what was said since the last call. */
export const heard = (page: Page): Promise<string[]> => page.evaluate(() => (window as Listening).spoken.splice(0));

interface AxNode {
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  properties?: { name: string; value: { value: unknown } }[];
}

const NAMED = new Set(["button", "link", "textbox", "searchbox", "radio", "radiogroup", "menuitem", "dialog", "image"]);

/** Returns the problems in Chromium's accessibility tree: controls without a name, and pages without one `main`. */
export async function treeProblems(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = (await devtools.send("Accessibility.getFullAXTree")) as { nodes: AxNode[] };
  await devtools.detach();
  const exposed = nodes.filter(({ ignored }) => !ignored);
  const roleOf = ({ role }: AxNode) => role?.value ?? "";
  const isFocusable = ({ properties }: AxNode) =>
    properties?.some(({ name, value }) => name === "focusable" && value.value);
  const problems = exposed
    .filter((node) => (NAMED.has(roleOf(node)) || isFocusable(node)) && roleOf(node) !== "RootWebArea")
    .filter(({ name }) => !name?.value.trim())
    .map((node) => `${roleOf(node)} without a name`);
  const mains = exposed.filter((node) => roleOf(node) === "main").length;
  const isCovered = exposed.some((node) => roleOf(node) === "dialog");
  return mains === 1 || isCovered ? problems : [...problems, `${mains} main landmarks`];
}
