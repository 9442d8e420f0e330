import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { COLLECTION, createMessages } from "./message.model.ts";

it("creates indexes that take longer than a connection may be silent", async () => {
  const { connection, drop } = await openTestDatabase();
  const stored = Array.from({ length: 30_000 }, (_, seq) => ({
    thread_id: "a",
    sending_user_id: "ann",
    client_id: seq,
  }));
  await connection.collection(COLLECTION).insertMany(stored);
  const impatient = await openTestDatabase({ dbName: connection.name, socketTimeoutMS: 10 });
  const creation = createMessages(impatient.connection).finally(() => impatient.connection.close());
  await expect(creation.finally(drop)).resolves.toBeDefined();
});
