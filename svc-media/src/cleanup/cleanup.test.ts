import { openTestDatabase, silentLogger } from "@messageoh/service-kit/testing/datastores";
import { until } from "@messageoh/service-kit/testing/until";
import { createMedia, type MediaRow } from "../media/media.model.ts";
import { createCleanup } from "./cleanup.ts";

it("goes on after a second while more files are due than one pass checks", async () => {
  const { connection, drop } = await openTestDatabase();
  const media = await createMedia(connection);
  const rows = Array.from({ length: 120 }, (_, index) => ({ _id: `${index}`, state: "ready", check_at: new Date(0) }));
  await media.insertMany(rows as MediaRow[]);
  const cleanup = createCleanup({
    media,
    isAttached: async () => true,
    remove: async () => true,
    logger: silentLogger,
  });
  const begunAt = performance.now();
  cleanup.start();
  await until(async () => (await media.countDocuments({ check_at: { $lte: new Date() } })) === 0);
  // Three passes.
  expect(performance.now() - begunAt).toBeLessThan(10_000);
  await cleanup.close();
  await drop();
});
