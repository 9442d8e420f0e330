import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { serveMedia, type TestService } from "../../testing/service.ts";
import { uploadReady } from "../../testing/tus.ts";

let service: TestService;
const users = new FakeUsers([threadBetween("ann", "bob")]);
beforeAll(async () => {
  service = await serveMedia(users);
});
afterAll(() => service.close());

it("stores a file", async () => {
  const ann = { url: service.url, user: "ann" };
  const attachment = await uploadReady(ann, Buffer.from("hello"), "../../etc/hello.txt");
  expect(attachment).toEqual({
    id: attachment.id,
    kind: "file",
    name: "hello.txt",
    bytes: 5,
    type: "application/octet-stream",
  });
});
