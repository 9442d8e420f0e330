import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { parseTable } from "@messageoh/service-kit/testing/table";
import { aMessage } from "../testing/messages.ts";
import { as, internal, serveMessages, type TestService } from "../testing/service.ts";

// What a viewer learns of ann through a thread. svc-users tells this service who are friends, and nothing of blocks.
// The visibility.test.ts of svc-users and of svc-realtime have the tables for calls about users and for sockets.

let users: FakeUsers;
let service: TestService;
beforeAll(async () => {
  users = new FakeUsers([threadBetween("ann", "friend"), threadBetween("ann", "former")]);
  service = await serveMessages(users);
  for (const viewer of ["friend", "former"]) {
    const thread = { thread_id: `ann-${viewer}` };
    await service.store(
      aMessage({ ...thread, recipient_user_id: viewer, text: "of ann" }),
      aMessage({ ...thread, sending_user_id: viewer, recipient_user_id: "ann", text: "own" }),
    );
  }
  const { thread_id } = users.endFriendship("ann-former");
  // As the feed of svc-users does.
  service.forgetThread(thread_id);
  users.formerFriends.set("former", [{ id: "ann", name: "Ann", thread_id }]);
});
afterAll(() => service.close());

/**
 * The thread that each viewer names. The stranger knows the id of a thread of others; nobody's thread does not exist.
 */
const THREAD: Record<string, string> = {
  friend: "ann-friend",
  former: "ann-former",
  stranger: "ann-friend",
  nobody: "ann-nobody",
};

/**
 * Describes a response: its status if it is an error, and otherwise the texts of its messages or the number of threads.
 */
async function responseTo(viewer: string, path: string, request: object = {}): Promise<string> {
  const { status, body } = await service.call(path, { ...as(viewer), ...request });
  if (status !== 200) return `${status} ${(body as { error: string }).error}`;
  const list = (body as { messages?: object[] }).messages ?? body;
  if (!Array.isArray(list)) return "200";
  return (list as { text?: string; thread_id: string }[]).map((item) => item.text ?? item.thread_id).join(", ") || "-";
}
async function resultOf(path: string, body: object): Promise<string> {
  const call = { method: "POST", body, headers: internal };
  const response = await service.call<{ results: { error?: string }[] }>(path, call);
  return response.body.results[0]?.error ?? "done";
}
const ofThread = (viewer: string, query = "") =>
  responseTo(viewer, `/messages/${viewer}?thread_id=${THREAD[viewer]}${query}`);

const CALLS: Record<string, (viewer: string) => Promise<string>> = {
  "a thread": (viewer) => ofThread(viewer),
  "an older page": (viewer) => ofThread(viewer, "&before_seq=2"),
  "a search in a thread": (viewer) => ofThread(viewer, "&search=own"),
  "all messages": (viewer) => responseTo(viewer, `/messages/${viewer}`),
  "a search": (viewer) => responseTo(viewer, `/messages/${viewer}?search=own`),
  "GET /threads": (viewer) => responseTo(viewer, `/threads/${viewer}`),
  "the download": (viewer) => responseTo(viewer, `/messages/${viewer}/export`),
  async "its count"(viewer) {
    const { headers } = await service.call(`/messages/${viewer}/export`, as(viewer));
    return `${headers.get("x-message-count")}`;
  },
  "a read marker": (viewer) =>
    responseTo(viewer, "/update_message_read", { method: "PUT", body: { thread_id: THREAD[viewer] } }),
  "a receipt": (viewer) =>
    resultOf("/internal/markers/batch", {
      markers: [{ kind: "delivered", thread_id: THREAD[viewer], user_id: viewer, seq: 1, request_id: "r" }],
    }),
  "a message": (viewer) =>
    resultOf("/internal/messages", {
      messages: [
        aMessage({ thread_id: THREAD[viewer], sending_user_id: viewer, recipient_user_id: "ann", text: "hi" }),
      ],
    }),
};

const TABLE = parseTable(`
                     | friend      | former                             | stranger                           | nobody
a thread             | of ann, own | 403 This is not yours              | 403 This is not yours              | 403 This is not yours
an older page        | of ann      | 403 This is not yours              | 403 This is not yours              | 403 This is not yours
a search in a thread | own         | 403 This is not yours              | 403 This is not yours              | 403 This is not yours
all messages         | of ann, own | -                                  | -                                  | -
a search             | own         | -                                  | -                                  | -
GET /threads         | ann-friend  | -                                  | -                                  | -
the download         | of ann, own | own                                | -                                  | -
its count            | 2           | 0                                  | 0                                  | 0
a read marker        | 200         | 403 This is not yours              | 403 This is not yours              | 403 This is not yours
a receipt            | done        | This is not yours                  | This is not yours                  | This is not yours
a message            | done        | You can only write to your friends | You can only write to your friends | You can only write to your friends
`);

it("has a row for each call", () => {
  expect(Object.keys(TABLE)).toEqual(Object.keys(CALLS));
});

it.each(Object.entries(CALLS))("responds to %s as the table says", async (name, call) => {
  const row = TABLE[name] ?? {};
  const actual: Record<string, string> = {};
  for (const viewer of Object.keys(row)) actual[viewer] = await call(viewer);
  expect(actual).toEqual(row);
});
