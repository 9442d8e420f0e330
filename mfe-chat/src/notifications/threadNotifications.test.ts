import { WITH_BOB } from "../../testing/builders.ts";
import { createThreadNotifications } from "./threadNotifications.ts";

it("lists the notifications of the service worker only when none is being shown, also after a failure", async () => {
  const steps: string[] = [];
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const shows = [first.promise, second.promise];
  const worker = {
    active: {},
    showNotification: (title: string) => {
      steps.push(`show ${title}`);
      return shows.shift();
    },
    getNotifications: async () => {
      steps.push("list");
      return [{ data: { thread_id: WITH_BOB }, close: () => steps.push("close") }];
    },
  };
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: { getRegistration: async () => worker },
  });
  const warn = jest.spyOn(console, "warn").mockImplementation();

  const shown = createThreadNotifications(() => undefined);
  const data = { thread_id: WITH_BOB, friend_id: "bob" };
  const all = [shown.show("Bob", "Hello", data), shown.close(() => true), shown.show("Bob", "again", data)];
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(steps).toEqual(["show Bob"]);
  first.reject(new Error("No permission"));
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(steps).toEqual(["show Bob", "list", "close", "show Bob"]);
  second.resolve();
  await Promise.all(all);
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
  Reflect.deleteProperty(navigator, "serviceWorker");
});
