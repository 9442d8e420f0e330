import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { UPLOAD_PART_BYTES } from "@messageoh/contracts/attachments";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { until } from "@messageoh/service-kit/testing/until";
import { Upload } from "@tus/server";
import { photo } from "../../testing/pictures.ts";
import { BUILD_MAX_MS, hasS3Server, type S3Server, startS3Server } from "../../testing/s3Server.ts";
import { serveMedia, type TestService } from "../../testing/service.ts";
import { callUpload, createUpload, settledState, uploadReady } from "../../testing/tus.ts";

const users = new FakeUsers([threadBetween("ann", "bob")]);
/** Short, because a frozen server is noticed only by it, in milliseconds. */
const TIME_LIMIT_MS = 1_000;
const TEXT = "Files cannot be stored or loaded at the moment. Please try again later";
const refused = async (response: Response) => [response.status, ((await response.json()) as { error: string }).error];

if (!hasS3Server()) test.todo("NOT RUN: neither versitygw nor Go is installed");
else
  describe("an S3 server", () => {
    let server: S3Server;
    let service: TestService;
    beforeAll(async () => {
      server = await startS3Server();
      const storage = server.storage("files", TIME_LIMIT_MS);
      service = await serveMedia(users, { storage });
    }, BUILD_MAX_MS);
    afterAll(async () => {
      await service.close();
      await server.close();
    });
    const ann = () => ({ url: service.url, user: "ann" });
    const file = Buffer.alloc(UPLOAD_PART_BYTES + 1_000, "0123456789");

    it.each([
      ["vanishes", () => server.stop(), () => server.start()],
      ["hangs", () => server.freeze(), () => server.resume()],
    ])("that %s in the middle of an upload costs only that request", async (_, fail, recover) => {
      const location = (await createUpload(ann(), file.length)).headers.get("location") ?? "";
      const first = { offset: 0, body: file.subarray(0, UPLOAD_PART_BYTES) };
      expect((await callUpload(ann(), "PATCH", location, first)).status).toBe(204);
      await fail();
      const rest = { offset: UPLOAD_PART_BYTES, body: file.subarray(UPLOAD_PART_BYTES) };
      expect(await refused(await callUpload(ann(), "PATCH", location, rest))).toEqual([503, TEXT]);
      expect(await refused(await createUpload(ann(), 10))).toEqual([503, TEXT]);
      await recover();
      const { headers } = await callUpload(ann(), "HEAD", location);
      expect(headers.get("upload-offset")).toBe(String(UPLOAD_PART_BYTES));
      expect((await callUpload(ann(), "PATCH", location, rest)).status).toBe(204);
      const state = await settledState(ann(), location.split("/").at(-1) ?? "");
      expect(state).toMatchObject({ state: "ready", attachment: { bytes: file.length } });
    });

    it("sends a whole file to a reader that pauses for longer than the time limit", async () => {
      const storage = server.storage("files", TIME_LIMIT_MS);
      const large = Buffer.alloc(4 * UPLOAD_PART_BYTES, "0123456789");
      await storage.put("ab/paused", large, "text/plain");
      const stream = await storage.read("ab/paused");
      await once(stream, "readable");
      await new Promise((resolve) => setTimeout(resolve, 2 * TIME_LIMIT_MS));
      expect((await buffer(stream)).equals(large)).toBe(true);
    });

    it("that vanishes while files are examined and removed loses nothing", async () => {
      const old = await uploadReady(ann(), await photo());
      await service.media.updateOne({ _id: old.id }, { $set: { check_at: new Date(0) } });
      const { id } = await uploadReady(ann(), Buffer.from("hello"));
      await server.stop();
      // All bytes are there, and the server is gone before they are examined.
      const examineNow = {
        $set: { state: "processing" as const, examine_at: new Date() },
        // A row that has it was examined.
        $unset: { content: true as const },
      };
      await service.media.updateOne({ _id: id }, examineNow);
      const retries = {
        state: "processing" as const,
        examine_at: { $gt: new Date(), $lt: new Date(Date.now() + 60_000) },
      };
      await until(async () => (await service.media.countDocuments({ _id: id, ...retries })) === 1);
      await service.cleanup.run();
      expect(await service.media.findOne({ _id: old.id })).toMatchObject({ state: "removed" });
      const response = await service.call(`/media/${old.id}`, { cookie: "messageoh_session=TOKEN-ann" });
      expect(response.status).toBe(404);
      await server.start();
      await service.media.updateOne({ _id: id }, examineNow);
      expect(await settledState(ann(), id)).toMatchObject({ state: "ready", attachment: { bytes: 5 } });
      await service.media.updateOne({ _id: old.id }, { $set: { check_at: new Date(0) } });
      await service.cleanup.run();
      expect(await service.media.countDocuments({ _id: old.id })).toBe(0);
    });
  });

describe("an S3 server that responds 500", () => {
  let broken: Server;
  let service: TestService;
  beforeAll(async () => {
    broken = createServer((request, response) => {
      request.resume();
      response.writeHead(500).end("<Error><Code>InternalError</Code><Message>secret detail</Message></Error>");
    });
    await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
    const { createS3Storage } = await import("./s3.ts");
    const storage = createS3Storage({ url, bucket: "b", region: "r", accessKey: "a", secretKey: "s" });
    await expect(storage.prepare()).rejects.toThrow();
    service = await serveMedia(users, { storage: { ...storage, prepare: async () => {} } });
  });
  afterAll(async () => {
    await service.close();
    broken.close();
  });

  it("gets a text without its details, and no upload is left", async () => {
    const ann = { url: service.url, user: "ann" };
    expect(await refused(await createUpload(ann, 10))).toEqual([503, TEXT]);
    expect(await service.media.countDocuments()).toBe(0);
  });
});

it("notices that an S3 server has not deleted an object, although the status is 200", async () => {
  let code = "NoSuchKey";
  const refusing = createServer((request, response) => {
    request.resume();
    response.end(`<DeleteResult><Error><Key>ab/abc</Key><Code>${code}</Code></Error></DeleteResult>`);
  });
  await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
  const { createS3Storage } = await import("./s3.ts");
  const storage = createS3Storage({ url, bucket: "b", region: "r", accessKey: "a", secretKey: "s" });
  await storage.removeUpload("ab/abc");
  code = "InternalError";
  await expect(storage.removeUpload("ab/abc")).rejects.toMatchObject({ status: 503, message: TEXT });
  refusing.closeAllConnections();
  refusing.close();
});

it("leaves no unfinished upload if an S3 server begins an upload and then refuses to store its description", async () => {
  const calls: string[] = [];
  const full = createServer((request, response) => {
    request.resume();
    calls.push(`${request.method} ${request.url}`);
    if (request.method === "PUT") response.writeHead(403).end("<Error><Code>QuotaExceeded</Code></Error>");
    else response.end("<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>");
  });
  await new Promise<void>((resolve) => full.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(full.address() as AddressInfo).port}`;
  const { createS3Storage } = await import("./s3.ts");
  const { uploads } = createS3Storage({ url, bucket: "b", region: "r", accessKey: "a", secretKey: "s" });
  const result = await uploads.create(new Upload({ id: "ab/abc", size: 5, offset: 0 })).catch(() => "refused");
  full.closeAllConnections();
  full.close();
  expect(result).toBe("refused");
  expect(calls.at(-1)).toMatch(/^DELETE \/b\/ab\/abc\?.*uploadId=u1/);
});
