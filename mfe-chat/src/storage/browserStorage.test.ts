import { aQueued } from "../../testing/builders.ts";
import { memoryStorage } from "../../testing/memoryStorage.ts";
import { createOutboxStorage } from "../outbox/outboxStorage.ts";
import { browserStorage } from "./browserStorage.ts";
import { createDrafts } from "./drafts.ts";

const define = (get: () => unknown) => Object.defineProperty(globalThis, "localStorage", { configurable: true, get });
const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
beforeEach(() => jest.spyOn(console, "warn").mockImplementation(() => undefined));
afterEach(() => {
  if (before) Object.defineProperty(globalThis, "localStorage", before);
  else Reflect.deleteProperty(globalThis, "localStorage");
  jest.restoreAllMocks();
});

it("is that of the browser", () => {
  const { storage } = memoryStorage();
  define(() => storage);
  expect(browserStorage()).toBe(storage);
});

it("keeps unsent messages and drafts until the page is closed if the browser forbids storage", () => {
  define(() => {
    throw new DOMException("Forbidden", "SecurityError");
  });
  createOutboxStorage("me", browserStorage()).write(aQueued());
  createDrafts("me", browserStorage()).save("thread", "Draft");
  const [outbox, drafts] = [createOutboxStorage("me", browserStorage()), createDrafts("me", browserStorage())];
  expect(outbox.readAll()).toEqual([aQueued()]);
  expect([drafts.of("thread"), drafts.threadIds()]).toEqual(["Draft", ["thread"]]);
  drafts.wipe();
  outbox.remove(aQueued().client_id);
  expect([outbox.readAll(), drafts.threadIds()]).toEqual([[], []]);
});
