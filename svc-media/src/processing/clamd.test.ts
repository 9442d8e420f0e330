import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { until } from "@messageoh/service-kit/testing/until";
import { serveMedia, type TestService } from "../../testing/service.ts";
import { settledState, upload } from "../../testing/tus.ts";

const EICAR = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*";
/** Largest file that this clamd accepts, in bytes. */
const STREAM_MAX = 200_000;

/** Starts a server that speaks the protocol of clamd's INSTREAM, as its manual describes it. */
function startClamd(port = 0): Promise<Server> {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (data) => {
      if (received.length > STREAM_MAX) return;
      received = Buffer.concat([received, data]);
      if (received.length > STREAM_MAX) return void socket.end("INSTREAM size limit exceeded. ERROR\0");
      if (!received.subarray(0, 10).equals(Buffer.from("zINSTREAM\0"))) return;
      let file = "";
      for (let at = 10; at + 4 <= received.length; ) {
        const length = received.readUInt32BE(at);
        if (length === 0) {
          socket.end(file.includes(EICAR) ? "stream: Eicar-Signature FOUND\0" : "stream: OK\0");
          return;
        }
        file += received.subarray(at + 4, at + 4 + length);
        at += 4 + length;
      }
    });
  });
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

let clamd: Server;
let port: number;
let service: TestService;
beforeAll(async () => {
  clamd = await startClamd();
  port = (clamd.address() as AddressInfo).port;
  const users = new FakeUsers([threadBetween("ann", "bob")]);
  service = await serveMedia(users, { clamdUrl: `tcp://127.0.0.1:${port}` });
});
afterAll(async () => {
  await service.close();
  clamd.close();
});
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
  expect(await settledState(ann(), id)).toEqual({
    state: "refused",
    error: "This file is too large to be checked for malware",
  });
});

it("serves nothing while clamd is down, and checks the file later", async () => {
  await new Promise((resolve) => clamd.close(resolve));
  const id = await upload(ann(), Buffer.from("hello"));
  const row = { _id: id, state: "processing" as const };
  // The next attempt is planned after the first has failed.
  const isPlanned = { ...row, examine_at: { $gt: new Date(), $lt: new Date(Date.now() + 60_000) } };
  await until(async () => (await service.media.countDocuments(isPlanned)) === 1);
  expect((await service.call(`/media/${id}/file`, { cookie: "messageoh_session=TOKEN-ann" })).status).toBe(404);
  clamd = await startClamd(port);
  await service.media.updateOne(row, { $set: { examine_at: new Date() } });
  expect(await settledState(ann(), id)).toMatchObject({ state: "ready" });
});
