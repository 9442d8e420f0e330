import { aMessage } from "../../testing/messages.ts";
import { openStore } from "../../testing/store.ts";
import { type Messages, messageKey } from "../messages/message.model.ts";
import { createListBetween } from "./listBetween.ts";

const drops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(drops.map((drop) => drop())));

it("reads missing numbers again after the primary has proved that it is still the primary", async () => {
  const { messages, storeBatch, drop } = await openStore();
  drops.push(drop);
  await storeBatch(["1", "2", "3"].map((client_id) => aMessage({ client_id, thread_id: "thread" })));
  const calls: string[] = [];
  // A primary that was replaced while it was frozen does not know the newest messages.
  const deposed: Messages = new Proxy(messages, {
    get(target, name) {
      const method = Reflect.get(target, name).bind(target);
      if (name === "find") {
        return (...of: Parameters<Messages["find"]>) => {
          calls.push("find");
          return method(calls.length === 1 ? { _id: "unknown" } : of[0]);
        };
      }
      if (name !== "findOne") return method;
      return (filter: object, options: { readConcern?: string }) => {
        calls.push(`${JSON.stringify(filter)} ${options?.readConcern}`);
        return method(filter, options);
      };
    },
  });
  const between = createListBetween(deposed);
  const found = await between({ thread_id: "thread", after: 1, before: 3 });
  expect(found.map(({ seq }) => seq)).toEqual([2]);
  expect(calls).toEqual(["find", `${JSON.stringify({ _id: messageKey("thread", 3) })} linearizable`, "find"]);
  expect(await between({ thread_id: "thread", after: 0, before: 3 })).toHaveLength(2);
  expect(calls).toHaveLength(4);
});
