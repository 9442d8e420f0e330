import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { until } from "@messageoh/service-kit/testing/until";
import { type Clamd, EICAR, FETCH_MAX_MS, startClamd } from "../../testing/clamd.ts";
import { serveMedia, type TestService } from "../../testing/service.ts";
import { settledState, upload } from "../../testing/tus.ts";

let clamd: Clamd;
let service: TestService;
beforeAll(async () => {
  clamd = await startClamd({ streamMaxBytes: 200_000 });
  service = await serveMedia(new FakeUsers([threadBetween("ann", "bob")]), { clamdUrl: clamd.url });
}, FETCH_MAX_MS);
afterAll(async () => {
  await service.close();
  await clamd.close();
});
/** A file whose next attempt is planned, after one has failed. */
const planned = (_id: string) => {
  const soon = { $gt: new Date(), $lt: new Date(Date.now() + 60_000) };
  return { _id, state: "processing" as const, examine_at: soon };
};
const examineNow = (id: string) => service.media.updateOne(planned(id), { $set: { examine_at: new Date() } });
const ann = () => ({ url: service.url, user: "ann" });

it("lets a clean file pass, and refuses one with malware", async () => {
  const clean = await upload(ann(), Buffer.alloc(150_000, "hello"));
  expect(await settledState(ann(), clean)).toMatchObject({ state: "ready" });
  const infected = await upload(ann(), Buffer.from(EICAR));
  expect(await settledState(ann(), infected)).toEqual({ state: "refused", error: "This file contains malware" });
  const response = await service.call(`/media/${infected}/file`, { cookie: "messageoh_session=TOKEN-ann" });
  expect(response.status).toBe(404);
  await expect(service.storage.read(`${infected.slice(0, 2)}/${infected}`)).rejects.toMatchObject({ status: 503 });
});

it("refuses a file that is too large for clamd", async () => {
  const id = await upload(ann(), Buffer.alloc(2_000_000, "hello"));
  await until(async () => {
    // Each attempt can lose the response, if clamd closes the connection between a read and a write.
    await examineNow(id);
    return (await service.media.countDocuments({ _id: id, state: "refused" })) === 1;
  });
  expect(await settledState(ann(), id)).toEqual({
    state: "refused",
    error: "This file is too large to be checked for malware",
  });
});

it("serves nothing while clamd is down, and checks the file later", async () => {
  await clamd.stop();
  const id = await upload(ann(), Buffer.from("hello"));
  await until(async () => (await service.media.countDocuments(planned(id))) === 1);
  expect((await service.call(`/media/${id}/file`, { cookie: "messageoh_session=TOKEN-ann" })).status).toBe(404);
  await clamd.start();
  await examineNow(id);
  expect(await settledState(ann(), id)).toMatchObject({ state: "ready" });
});
