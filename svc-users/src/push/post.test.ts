import { createPublicAddresses } from "@messageoh/service-kit/publicAddresses";
import { aPushBrowser, startPushService } from "@messageoh/service-kit/testing/pushService";
import { createPost } from "./post.ts";
import { publicKeyOf } from "./vapid.ts";

const KEY = Buffer.alloc(32, 1);
const vapid = {
  subject: "mailto:operator@localhost",
  publicKey: publicKeyOf(KEY),
  privateKey: KEY.toString("base64url"),
};
const PAYLOAD = { user_id: "ann", thread_id: "a-thread", friend_id: "bob", name: "Bob" };

let service: Awaited<ReturnType<typeof startPushService>>;
beforeAll(async () => {
  service = await startPushService();
}, 60_000);
afterAll(() => service.close());
beforeEach(() => {
  service.received.length = 0;
});

/** Posts to the test's push service under a name. */
async function postTo(name: string, allowedHosts: string[]) {
  const endpoints = createPublicAddresses({ protocols: ["https:"], allowedHosts, resolve: async () => ["127.0.0.1"] });
  const { subscription } = aPushBrowser(`https://${name}:${service.port}/1`);
  const { endpoint, keys } = subscription;
  const post = createPost({ vapid, endpoints, ca: service.ca });
  return post({ endpoint, ...keys, shows_text: false }, PAYLOAD);
}

it("posts to a host of the operator's list", async () => {
  expect(await postTo("localhost", ["localhost"])).toEqual({ status: 201 });
  expect(service.pathsReceived()).toEqual(["/1"]);
});

it("connects to no other host whose name leads to an internal address by now", async () => {
  await expect(postTo("localhost", [])).rejects.toThrow("localhost has no public address");
  expect(service.received).toEqual([]);
});

it("connects to no internal address without a name", async () => {
  await expect(postTo("127.0.0.1", [])).rejects.toThrow("127.0.0.1 is not a public address");
  expect(service.received).toEqual([]);
});
