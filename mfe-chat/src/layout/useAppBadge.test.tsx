import { renderHook } from "@testing-library/react";
import { useAppBadge } from "./useAppBadge.ts";

let badges: (number | undefined)[];

beforeEach(() => {
  badges = [];
  Object.assign(navigator, {
    setAppBadge: async (count: number) => void badges.push(count),
    clearAppBadge: async () => void badges.push(undefined),
  });
});
afterEach(() => {
  for (const name of ["setAppBadge", "clearAppBadge"]) Reflect.deleteProperty(navigator, name);
});

it("follows the number of unread messages until the chat ends", () => {
  const { rerender, unmount } = renderHook(useAppBadge, { initialProps: 2 });
  rerender(3);
  rerender(3);
  unmount();
  document.dispatchEvent(new Event("visibilitychange"));
  expect(badges).toEqual([2, 3, undefined]);
});

it("replaces the dot of a push when the page is seen again", () => {
  renderHook(useAppBadge, { initialProps: 0 });
  badges.length = 0;
  document.dispatchEvent(new Event("visibilitychange"));
  expect(badges).toEqual([0]);
});
