import * as internal from "@messageoh/contracts/internal/media";
import * as media from "@messageoh/contracts/media";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import {
  type Answers,
  CALLERS,
  type Caller,
  FOR_SERVICES,
  FOR_THE_OWNER,
} from "@messageoh/service-kit/testing/authorisation";
import { type CallsOf, endpointsOf } from "@messageoh/service-kit/testing/contracts";
import { photo } from "../testing/pictures.ts";
import { serveMedia, TEST_SECRET, type TestService } from "../testing/service.ts";
import { createUpload, uploadReady } from "../testing/tus.ts";

const NO_SESSION = { nobody: 401, expired: 401, revoked: 401, service: 401 };
/** Statuses of a call about a file: whoever may not know of it learns nothing. */
const FOR_BOTH: Answers = { ...NO_SESSION, stranger: 404, friend: 200, owner: 200 };
const FOR_THE_UPLOADER: Answers = { ...NO_SESSION, stranger: 404, friend: 404, owner: 200 };

/** User names of the sessions that svc-users knows, by token. */
const sessionUsers = new Map<string, string>();
const users = new FakeUsers([threadBetween("owner", "friend")]);
users.nameOf = (token) => sessionUsers.get(token);
let service: TestService;
let sent: string;
let unsent: string;
let location: string;
let counter = 0;

beforeAll(async () => {
  service = await serveMedia(users);
  sessionUsers.set("TOKEN-setup", "owner");
  const owner = { url: service.url, user: "setup" };
  sent = (await uploadReady(owner, await photo(), "photo.jpg", "owner-friend")).id;
  service.messages.attached.add(sent);
  await service.media.updateOne({ _id: sent }, { $set: { is_sent: true } });
  unsent = (await uploadReady(owner, Buffer.from("hello"), "notes.txt", "owner-friend")).id;
  const created = await createUpload(owner, 10, { thread_id: "owner-friend" });
  location = (created.headers.get("location") ?? "").replace("/messageoh", "");
});
afterAll(() => service.close());

type Row = [answers: Answers, path: () => string, body?: () => object];
const contract = { ...media, ...internal };

const ROWS: Record<CallsOf<typeof contract>, Row[]> = {
  getMediaState: [[FOR_THE_UPLOADER, () => `/media/${sent}`]],
  getMedia: [
    [FOR_BOTH, () => `/media/${sent}/thumb`],
    [FOR_BOTH, () => `/media/${sent}/file`],
    [FOR_THE_UPLOADER, () => `/media/${unsent}/file`],
  ],
  exportMedia: [[FOR_THE_OWNER, () => "/media/export/owner"]],
  getUsedSpace: [[FOR_THE_OWNER, () => "/media/storage/owner"]],
  // Nothing is sent to an internal address.
  createLinkPreview: [
    [
      { ...NO_SESSION, stranger: 403, friend: 200, owner: 200 },
      () => "/media/previews",
      () => ({ thread_id: "owner-friend", url: "http://127.0.0.1/" }),
    ],
  ],
  findLinkPreview: [
    [
      FOR_SERVICES,
      () => "/internal/media/previews/find",
      () => ({ owner_id: "owner", thread_id: "owner-friend", preview_id: sent }),
    ],
  ],
  copyLinkPreview: [
    [
      FOR_SERVICES,
      () => "/internal/media/previews/copy",
      () => ({
        ...{ owner_id: "friend", from_thread_id: "owner-friend", thread_id: "friend-other" },
        ...{ client_id: "client", preview_id: sent },
      }),
    ],
  ],
  findAttachments: [
    [
      FOR_SERVICES,
      () => "/internal/media/find",
      () => ({ owner_id: "owner", thread_id: "owner-friend", media_ids: [sent] }),
    ],
  ],
  copyAttachments: [
    [
      FOR_SERVICES,
      () => "/internal/media/copy",
      () => ({
        ...{ owner_id: "friend", from_thread_id: "owner-friend", thread_id: "friend-other" },
        ...{ client_id: "client", media_ids: [sent] },
      }),
    ],
  ],
};

async function headersOf(caller: Caller): Promise<Record<string, string>> {
  if (caller === "nobody") return {};
  if (caller === "service") return { "x-internal-secret": TEST_SECRET };
  // Each call gets a new session, because an ended one cannot be used again.
  counter += 1;
  const token = `TOKEN-${counter}`;
  const headers = { cookie: `messageoh_session=${token}` };
  if (caller === "revoked") {
    // The session is cached before it ends.
    sessionUsers.set(token, "owner");
    expect((await fetch(`${service.url}/media/${sent}`, { headers })).status).toBe(200);
    sessionUsers.delete(token);
    service.sessions.forget(`session-${counter}`);
  } else if (caller !== "expired") {
    sessionUsers.set(token, caller);
  }
  return headers;
}

const served = endpointsOf(contract);
describe.each(served)("%s", (name, { method }) => {
  test.each(CALLERS)("responds to %s as the table says", async (caller) => {
    for (const [answers, path, body] of ROWS[name]) {
      const headers = { ...(await headersOf(caller)), ...(body && { "content-type": "application/json" }) };
      const response = await fetch(service.url + path(), { method, headers, body: body && JSON.stringify(body()) });
      await response.arrayBuffer();
      expect([path(), response.status]).toEqual([path(), answers[caller]]);
    }
  });
});

const UPLOADS: [method: string, answers: Answers][] = [
  ["HEAD", FOR_THE_UPLOADER],
  ["PATCH", { ...FOR_THE_UPLOADER, owner: 409 }],
  ["POST", { ...NO_SESSION, stranger: 403, friend: 201, owner: 201 }],
  ["DELETE", { ...FOR_THE_UPLOADER, owner: 204 }],
];
describe.each(UPLOADS)("%s of an upload", (method, answers) => {
  test.each(CALLERS)("responds to %s as the table says", async (caller) => {
    const metadata = `name ${btoa("n")},thread_id ${btoa("owner-friend")}`;
    const response = await fetch(service.url + (method === "POST" ? media.UPLOADS_PATH : location), {
      method,
      headers: {
        ...(await headersOf(caller)),
        "tus-resumable": "1.0.0",
        ...(method === "POST" ? { "upload-length": "5", "upload-metadata": metadata } : {}),
        ...(method === "PATCH" ? { "upload-offset": "7", "content-type": "application/offset+octet-stream" } : {}),
      },
    });
    expect(response.status).toBe(answers[caller]);
  });
});
