import { FakeUsers } from "@messageoh/contracts/testing/fakeUsers";
import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { readMetric } from "@messageoh/service-kit/testing/metrics";
import { until } from "@messageoh/service-kit/testing/until";
import { serveMedia, type TestService } from "../../testing/service.ts";
import type { MediaRow } from "./media.model.ts";

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let service: TestService;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.connection.collection<MediaRow>("media").insertOne({ _id: "a", stored_bytes: 700 } as MediaRow);
  service = await serveMedia(new FakeUsers([]), { connection: database.connection });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

it("states the bytes of stored files from the first scrape on, also while nobody uploads", async () => {
  const stored = () => readMetric(service.url, "messageoh_media_stored_bytes");
  expect(await stored()).toBe(700);
  await service.media.deleteOne({ _id: "a" });
  expect(await stored()).toBe(700);
  const now = performance.now.bind(performance);
  jest.spyOn(performance, "now").mockImplementation(() => now() + 61_000);
  await until(async () => (await stored()) === 0);
});
