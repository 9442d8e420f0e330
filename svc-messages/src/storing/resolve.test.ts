import { type Attachment, textWithoutCaption } from "@messageoh/contracts/attachments";
import { ApiError } from "@messageoh/contracts/client";
import {
  copyAttachments,
  copyLinkPreview,
  findAttachments,
  findLinkPreview,
} from "@messageoh/contracts/internal/media";
import type { NewMessage } from "@messageoh/contracts/internal/messages";
import type { LinkPreview } from "@messageoh/contracts/linkPreviews";
import type { Message } from "@messageoh/contracts/messages";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { aMessage } from "../../testing/messages.ts";
import { as, internal, serveMessages, type TestService } from "../../testing/service.ts";
import { COLLECTION, messageKey } from "../messages/message.model.ts";
import { createPresentTexts } from "../push/presentTexts.ts";
import { placedFilter } from "../reading/listAttached.ts";

const photo: Attachment = { id: "photo", kind: "picture", name: "a.jpg", bytes: 9, type: "image/webp" };
const plan: Attachment = { id: "plan", kind: "file", name: "b.pdf", bytes: 7, type: "application/pdf" };
const page: LinkPreview = { id: "page", url: "https://a.example/page", title: "A page", site: "a.example" };

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let service: TestService;
let users: FakeUsers;
/** What svc-media says of any attachments; `undefined` if it is down. */
let found: Attachment[] | string | undefined;
/** What svc-media says of any link preview; `undefined` if it is down. */
let preview: LinkPreview | null | undefined;
const asked: unknown[] = [];
let thread = "";
let threads = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  users = new FakeUsers([threadBetween("ann", "cyd")]);
  const callMedia = createFakeCall([
    route(findAttachments, ({ body }) => {
      asked.push(body);
      if (found === undefined) throw new ApiError(0);
      return typeof found === "string" ? { refusal: found } : { attachments: found };
    }),
    route(copyAttachments, ({ body }) => {
      asked.push(body);
      if (found === undefined) throw new ApiError(0);
      return typeof found === "string" ? { refusal: found } : { attachments: found };
    }),
    ...[findLinkPreview, copyLinkPreview].map((endpoint) =>
      route(endpoint, ({ body }) => {
        asked.push(body);
        if (preview === undefined) throw new ApiError(0);
        return { preview };
      }),
    ),
  ]);
  service = await serveMessages(users, { callMedia, connection: database.connection });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});
beforeEach(() => {
  found = [photo, plan];
  preview = page;
  asked.length = 0;
  threads += 1;
  thread = `thread-${threads}`;
  users.threads.push({ ...threadBetween("ann", "bob"), thread_id: thread });
});

const rows = () => database.connection.collection<{ _id: string }>(COLLECTION);
const store = async (message: NewMessage) => (await service.store(message)).body.results[0];
const withPhoto = (parts: Partial<NewMessage> = {}) =>
  aMessage({ text: textWithoutCaption([photo, plan]), attachments: ["photo", "plan"], thread_id: thread, ...parts });
const list = async (name = "bob") =>
  (await service.call<Message[]>(`/messages/${name}?thread_id=${thread}`, as(name))).body;
async function attached(...media: [thread_id: string, media_id: string][]): Promise<string[]> {
  const body = { media: media.map(([thread_id, media_id]) => ({ thread_id, media_id })) };
  const call = { method: "POST", body, headers: internal } as const;
  return (await service.call<{ attached: string[] }>("/internal/messages/attached", call)).body.attached;
}

it("stores what svc-media says about the sender's uploads for the thread", async () => {
  expect(await store(withPhoto())).toMatchObject({ message: { attachments: [photo, plan] } });
  expect(asked).toEqual([{ owner_id: "ann", thread_id: thread, media_ids: ["photo", "plan"] }]);
  expect(await list()).toMatchObject([{ text: "Photo: a.jpg\nFile: b.pdf", attachments: [photo, plan] }]);
});

it("asks svc-media only about messages with attachments", async () => {
  await store(aMessage({ thread_id: thread }));
  await store(aMessage({ thread_id: thread, attachments: [] }));
  expect(asked).toEqual([]);
  expect((await list()).map(({ attachments }) => attachments)).toEqual([undefined, undefined]);
});

it("refuses a message with a refused attachment permanently, unless it is already stored", async () => {
  const stored = withPhoto();
  await store(stored);
  found = "This file was removed";
  const refused = withPhoto();
  expect(await store(refused)).toEqual({ error: "This file was removed" });
  expect(await store(stored)).toMatchObject({ message: { seq: 1, attachments: [photo, plan] } });
  found = [photo];
  expect(await store(refused)).toHaveProperty("error");
  expect(await list()).toHaveLength(1);
});

it("has messages retried while svc-media is down, and stores others", async () => {
  found = undefined;
  expect(await store(withPhoto())).toEqual({ retry: true });
  expect(await store(aMessage({ thread_id: thread }))).toMatchObject({ message: { seq: 1 } });
});

it("finds the attachments that messages of a thread contain by an index", async () => {
  await store(withPhoto());
  await store(aMessage({ thread_id: thread }));
  const places: [string, string][] = [
    [thread, "photo"],
    [thread, "plan"],
    ["ann-cyd", "photo"],
    [thread, "other"],
  ];
  expect(await attached(...places)).toEqual(["photo", "plan"]);
  const filter = placedFilter([{ thread_id: thread, media_id: "photo" }]);
  const { executionStats } = await rows().find(filter).explain("executionStats");
  expect(executionStats.totalDocsExamined).toBe(1);
});

it("removes attachments and link previews with the message, and with the texts of a deleted account", async () => {
  await store(withPhoto());
  await service.call(`/messages/ann/${thread}/1`, { method: "DELETE", ...as("ann") });
  expect(await attached([thread, "photo"])).toEqual([]);
  expect(await list()).toMatchObject([{ text: "deleted" }]);
  expect((await list())[0]).not.toHaveProperty("attachments");

  await store(withPhoto());
  await store(aMessage({ text: page.url, preview: page.id, thread_id: thread }));
  expect(await attached([thread, "photo"], [thread, "page"])).toEqual(["photo", "page"]);
  users.deletions.push({ user_id: "ann", texts: "remove", is_open: true });
  await Promise.all(await service.deletions.run());
  expect(await attached([thread, "photo"], [thread, "page"])).toEqual([]);
});

it("names the attachments in a notification of a message without a caption", async () => {
  await store(withPhoto());
  await store(withPhoto({ text: "Look" }));
  const keys = [1, 2].map((seq) => messageKey(thread, seq));
  const texts = await createPresentTexts(database.connection)(keys);
  expect(keys.map((key) => texts.get(key))).toEqual(["2 files", "Look"]);
});

describe("a link preview", () => {
  const withLink = (parts: Partial<NewMessage> = {}) =>
    aMessage({ text: "See https://a.example/page", preview: "page", thread_id: thread, ...parts });
  const edit = (text: string, base: number) =>
    service.call<Message>(`/messages/ann/${thread}/1`, {
      ...{ method: "PUT", body: { text, op_id: `edit-${base}`, base } },
      ...as("ann"),
    });

  it("is what svc-media says about the sender's own one for the thread", async () => {
    expect(await store(withLink())).toMatchObject({ message: { preview: page } });
    expect(asked).toEqual([{ owner_id: "ann", thread_id: thread, preview_id: "page" }]);
    expect(await list()).toMatchObject([{ text: "See https://a.example/page", preview: page }]);
  });

  it.each<[what: string, set: () => void, parts: Partial<NewMessage>]>([
    ["svc-media does not know it", () => (preview = null), {}],
    ["svc-media is down", () => (preview = undefined), {}],
    ["its link is not in the text", () => {}, { text: "See https://a.example/page/2" }],
  ])("is left out of a message if %s", async (_, set, parts) => {
    set();
    const stored = await store(withLink(parts));
    expect(stored?.message?.seq).toBe(1);
    expect(stored?.message).not.toHaveProperty("preview");
  });

  it("stays as long as an edit keeps the link, and its picture with it", async () => {
    await store(withLink());
    expect((await edit("https://a.example/page is good", 0)).body.preview).toEqual(page);
    expect(await attached([thread, "page"], ["ann-cyd", "page"])).toEqual(["page"]);
    const { body } = await edit("Never mind", 1);
    expect([body.text, body.preview]).toEqual(["Never mind", undefined]);
    expect((await list())[0]).not.toHaveProperty("preview");
    expect(await attached([thread, "page"])).toEqual([]);
  });

  it("goes with the message", async () => {
    await store(withLink());
    await service.call(`/messages/ann/${thread}/1`, { method: "DELETE", ...as("ann") });
    expect((await list())[0]).not.toHaveProperty("preview");
  });

  it("is in the user's download", async () => {
    await store(withLink());
    const { body } = await service.call<{ messages: Message[] }>("/messages/ann/export", as("ann"));
    expect(body.messages.filter(({ thread_id }) => thread_id === thread)).toMatchObject([{ preview: page }]);
  });

  it("is found by an index", async () => {
    await store(withLink());
    await store(aMessage({ thread_id: thread }));
    const filter = placedFilter([{ thread_id: thread, media_id: "page" }]);
    const { executionStats } = await rows().find(filter).explain("executionStats");
    expect(executionStats.totalDocsExamined).toBe(1);
  });

  it("is copied with a forwarded message, and left out if that fails", async () => {
    await store(withLink());
    asked.length = 0;
    preview = { ...page, id: "copy" };
    const client_id = `forward-preview-${thread}`;
    const forward = { thread_id: "ann-cyd", recipient_user_id: "cyd", forward_of: { thread_id: thread, seq: 1 } };
    expect((await store(aMessage({ ...forward, client_id })))?.message?.preview).toEqual(preview);
    const target = { owner_id: "ann", from_thread_id: thread, thread_id: "ann-cyd", client_id };
    expect(asked).toEqual([{ ...target, preview_id: "page" }]);
    preview = undefined;
    expect((await store(aMessage(forward)))?.message).not.toHaveProperty("preview");
  });
});

describe("a forwarded message", () => {
  const forward = (seq = 1, parts: Partial<NewMessage> = {}) =>
    store(
      aMessage({
        ...{ thread_id: "ann-cyd", recipient_user_id: "cyd", text: "ignored", forward_of: { thread_id: thread, seq } },
        ...parts,
      }),
    );

  it("has the text and copies of the attachments, and counts its hops up to five", async () => {
    await store(withPhoto({ text: "Look" }));
    asked.length = 0;
    found = [{ ...photo, id: "copy" }];
    const client_id = `forward-${thread}`;
    const first = await forward(1, { client_id, attachments: ["ignored"] });
    expect(first?.message).toMatchObject({ text: "Look", attachments: [{ id: "copy" }], forwarded: 1 });
    const media_ids = ["photo", "plan"];
    expect(asked).toEqual([{ owner_id: "ann", from_thread_id: thread, thread_id: "ann-cyd", client_id, media_ids }]);
    let last = first?.message as Message;
    for (const hops of [2, 3, 4, 5, 5]) {
      const next = await forward(1, { forward_of: { thread_id: last.thread_id, seq: last.seq } });
      expect(next?.message?.forwarded).toBe(hops);
      last = next?.message as Message;
    }
  });

  it("has no trace of its first author, and asks svc-media only about attachments", async () => {
    await store(aMessage({ thread_id: thread, sending_user_id: "bob", recipient_user_id: "ann", text: "hi" }));
    const { message } = (await forward()) ?? {};
    expect(message).toMatchObject({ text: "hi", sending_user_id: "ann", forwarded: 1 });
    expect(JSON.stringify(message)).not.toContain("bob");
    expect(asked).toEqual([]);
  });

  it("is refused from a thread of others, without the message, and after its deletion", async () => {
    await store(aMessage({ thread_id: thread }));
    users.threads.push(threadBetween("cyd", "eve"));
    const fromEve = { thread_id: "cyd-eve", sending_user_id: "eve", recipient_user_id: "cyd" };
    expect(await forward(1, fromEve)).toEqual({ error: "You can only forward messages of your own chats" });
    expect(await forward(2)).toEqual({ error: "This message was deleted" });
    await service.call(`/messages/ann/${thread}/1`, { method: "DELETE", ...as("ann") });
    expect(await forward(1)).toEqual({ error: "This message was deleted" });
  });

  it("is acked again if it was stored, although the original is deleted meanwhile", async () => {
    await store(aMessage({ thread_id: thread, text: "once" }));
    const client_id = `again-${thread}`;
    await forward(1, { client_id });
    await service.call(`/messages/ann/${thread}/1`, { method: "DELETE", ...as("ann") });
    expect(await forward(1, { client_id })).toMatchObject({ message: { text: "once" } });
  });

  it("is retried while svc-media is down, and refused if it refuses", async () => {
    await store(withPhoto());
    found = undefined;
    expect(await forward()).toEqual({ retry: true });
    found = "No space";
    expect(await forward()).toEqual({ error: "No space" });
  });
});
