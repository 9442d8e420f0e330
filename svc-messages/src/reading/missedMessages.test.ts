import { MISSED_MAX_RANGES, MISSED_MAX_USERS } from "@messageoh/contracts/limits";
import { aMessage } from "../../testing/messages.ts";
import { openStore } from "../../testing/store.ts";
import type { Messages } from "../messages/message.model.ts";
import { createListMissed } from "./missedMessages.ts";

const drops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(drops.map((drop) => drop())));

it("finds the messages of as many users and ranges as a call may name", async () => {
  const { messages, storeBatch, drop } = await openStore();
  drops.push(drop);
  const message = aMessage({ client_id: "1", thread_id: "thread" });
  await storeBatch([message]);
  const idOf = (_: unknown, index: number) => String(index).padStart(36, "0");
  const user_ids = [message.recipient_user_id, ...Array.from({ length: MISSED_MAX_USERS - 1 }, idOf)];
  const ranges = Array.from({ length: MISSED_MAX_RANGES }, (): [string, string] => ["0", "g"]);
  expect(await createListMissed(messages)({ user_ids, ranges, after: undefined })).toMatchObject([{ client_id: "1" }]);
});

it("returns nothing from a primary that was replaced while it was frozen", async () => {
  const { messages, storeBatch, drop } = await openStore();
  drops.push(drop);
  const message = aMessage({ client_id: "1", thread_id: "thread" });
  await storeBatch([message]);
  const missed = {
    user_ids: [message.recipient_user_id],
    ranges: [["0", "g"]] as [string, string][],
    after: undefined,
  };
  expect(await createListMissed(messages)(missed)).toMatchObject([{ client_id: "1" }]);
  // It serves old data until it learns of the new primary. Only a linearizable read fails there.
  const deposed: Messages = new Proxy(messages, {
    get(target, name) {
      const method = Reflect.get(target, name).bind(target);
      if (name !== "findOne") return method;
      return (filter: object, options?: { readConcern?: string }) =>
        options?.readConcern === "linearizable" ? Promise.reject(new Error("not primary")) : method(filter, options);
    },
  });
  await expect(createListMissed(deposed)(missed)).rejects.toThrow("not primary");
});
