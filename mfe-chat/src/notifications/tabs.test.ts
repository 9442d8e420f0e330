import { createTabs } from "./tabs.ts";

/** The locks of one browser. Exclusive locks wait for their turn. */
function browserLocks() {
  const held: { name: string; mode: string }[] = [];
  const waiting: (() => void)[] = [];
  const manager = {
    async request(name: string, options: LockOptions, callback: () => Promise<void>) {
      const { mode = "exclusive" } = options;
      const isTaken = () => mode === "exclusive" && held.some((lock) => lock.name === name);
      while (isTaken()) await new Promise<void>((resolve) => void waiting.push(resolve));
      const lock = { name, mode };
      held.push(lock);
      await callback();
      held.splice(held.indexOf(lock), 1);
      for (const resume of waiting.splice(0)) resume();
    },
    query: async () => ({ held }),
  };
  return manager as typeof manager & LockManager;
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

it("elects one tab, and another one when it closes", async () => {
  const locks = browserLocks();
  const [one, two] = [createTabs("me", locks), createTabs("me", locks)];
  one.start();
  two.start();
  await settled();
  expect([one.isElected(), two.isElected()]).toEqual([true, false]);
  one.stop();
  await settled();
  expect(two.isElected()).toBe(true);
});

it("knows whether any tab of the user is visible", async () => {
  const locks = browserLocks();
  const [one, two, other] = [createTabs("me", locks), createTabs("me", locks), createTabs("you", locks)];
  expect(await one.isAnyVisible()).toBe(false);
  other.setVisible(true);
  two.setVisible(true);
  expect(await one.isAnyVisible()).toBe(true);
  two.setVisible(false);
  await settled();
  expect(await one.isAnyVisible()).toBe(false);
});

it("counts itself without the Web Locks API", async () => {
  const tabs = createTabs("me", undefined);
  tabs.start();
  tabs.setVisible(true);
  expect([tabs.isElected(), await tabs.isAnyVisible()]).toEqual([true, true]);
  tabs.setVisible(false);
  expect(await tabs.isAnyVisible()).toBe(false);
});
