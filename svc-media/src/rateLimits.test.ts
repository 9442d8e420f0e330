import * as contract from "@messageoh/contracts/media";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { serveMedia, type TestService } from "../testing/service.ts";
import { callUpload, createUpload } from "../testing/tus.ts";

const FEW = { count: 3, seconds: 900 };
let service: TestService;
beforeAll(async () => {
  const users = new FakeUsers([threadBetween("ann", "bob")]);
  service = await serveMedia(users, {
    rates: { uploads: FEW, parts: FEW, reads: { count: 30, seconds: 900 }, exports: FEW, previews: FEW },
  });
});
afterAll(() => service.close());

const uploader = (user: string) => ({ url: service.url, user });
const get = (user: string, path: string) =>
  fetch(service.url + path, { headers: { cookie: `messageoh_session=TOKEN-${user}` } });

it.each<[what: string, status: number, call: (user: string) => Promise<Response>]>([
  ["new uploads", 201, (user) => createUpload(uploader(user), 5)],
  ["parts", 404, (user) => callUpload(uploader(user), "PATCH", `/messageoh${contract.UPLOADS_PATH}/none`)],
  // A refused call counts as ten.
  ["downloads", 404, (user) => get(user, "/media/none/file")],
  [
    "link previews",
    200,
    (user) =>
      fetch(`${service.url}/media/previews`, {
        method: "POST",
        headers: { cookie: `messageoh_session=TOKEN-${user}`, "content-type": "application/json" },
        body: JSON.stringify({ thread_id: "ann-bob", url: "http://127.0.0.1/" }),
      }),
  ],
  ["downloads of all files", 200, (user) => get(user, `/media/export/${user}`)],
])("limits %s per user", async (_, status, call) => {
  for (let count = 0; count < FEW.count; count += 1) {
    const response = await call("ann");
    await response.arrayBuffer();
    expect(response.status).toBe(status);
  }
  const refused = await call("ann");
  expect(refused.status).toBe(429);
  expect(await refused.json()).toEqual({ error: expect.stringMatching(/Please try again in 15 minutes/) });
  expect((await call("bob")).status).toBe(status);
});
