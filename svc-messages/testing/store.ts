import { createPosition } from "@messageoh/service-kit/position";
import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { createInsert, createMessages } from "../src/messages/message.model.ts";
import { createStoreBatch } from "../src/storing/storeBatch.ts";
import { createThreads } from "../src/threads/thread.model.ts";

/** Opens a new database with the collection of messages, and the function that stores them. */
export async function openStore() {
  const { connection, drop } = await openTestDatabase();
  const messages = await createMessages(connection);
  const threads = createThreads(messages);
  const storeBatch = createStoreBatch({
    ...{ messages, threads },
    insert: createInsert(connection),
    position: createPosition("messages"),
  });
  return { connection, drop, messages, threads, storeBatch };
}
