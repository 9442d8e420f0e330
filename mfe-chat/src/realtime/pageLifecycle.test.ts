import { browserPage } from "./pageLifecycle.ts";

it("asks the user before the page is closed while something would be lost", () => {
  // jsdom does not take the signals of Node.js.
  const page = new EventTarget();
  Object.assign(globalThis, { window: page, document: new EventTarget() });
  let hasUnsaved = true;
  const nothing = () => undefined;
  const stop = browserPage.listen({
    onVisibility: nothing,
    onWake: nothing,
    onNetwork: nothing,
    onStorage: nothing,
    hasUnsaved: () => hasUnsaved,
  });
  /** Returns whether the browser asks. */
  const asks = () => !page.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(asks()).toBe(true);
  hasUnsaved = false;
  expect(asks()).toBe(false);
  hasUnsaved = true;
  stop();
  expect(asks()).toBe(false);
});
