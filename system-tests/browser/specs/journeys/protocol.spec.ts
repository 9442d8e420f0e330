import { uniqueName } from "../../support/names.ts";
import { ProtocolClient } from "../../support/protocolClient.ts";
import { expect, test } from "../../support/test.ts";

interface Message {
  text: string;
  thread_id: string;
  sending_user_id: string;
  seq: number;
}

test("lets a client of the specification chat across instances, and a third user neither read nor write", async ({
  baseURL,
}) => {
  const client = (name: string) => new ProtocolClient(baseURL ?? "", uniqueName(name)).register();
  const [ann, bob, eve] = await Promise.all([client("Ann"), client("Bob"), client("Eve")]);
  await ann.connect();
  await bob.connectElsewhere(ann);
  await eve.connect();
  const pair = { sending_user_id: ann.id, recipient_user_id: bob.id };

  const thread_id = await ann.befriend(bob);
  const added = () =>
    bob.payloads<{ current_user: { id: string }; message_thread: { threadId: string } }>("received_add_new_friend");
  await expect.poll(() => added().length).toBe(1);
  expect(added()[0]).toMatchObject({
    current_user: { id: ann.id, name: ann.name },
    message_thread: { threadId: thread_id },
  });
  ann.socket?.emit("add_friend", { current_user: { id: ann.id }, new_friend_id: bob.id, message_thread: {} });
  ann.socket?.emit("join_room", pair);
  bob.socket?.emit("join_room", { sending_user_id: bob.id, recipient_user_id: ann.id });

  // The intruder joins the pair's room, forges the sender, and writes into another thread and to a stranger.
  eve.socket?.emit("join_room", pair);
  const forged = { thread_id, text: "forged", timestamp: new Date().toISOString(), read: false };
  eve.socket?.emit("send_message", { ...forged, ...pair });
  eve.socket?.emit("send_message", { ...forged, sending_user_id: eve.id, recipient_user_id: bob.id });
  eve.socket?.emit("send_message", { ...forged, sending_user_id: eve.id, recipient_user_id: eve.id });

  const texts = Array.from({ length: 300 }, (_, index) => `${index} Привет 你好 مرحبا 🦊👩‍👩‍👧‍👦`);
  for (const text of texts) {
    ann.socket?.emit("send_message", { ...pair, thread_id, text, timestamp: new Date().toISOString(), read: false });
  }
  const received = () => bob.payloads<Message>("receive_message").map((message) => message.text);
  await expect.poll(() => received().length, { timeout: 30_000 }).toBe(300);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(received()).toEqual(texts);
  expect(added()).toHaveLength(1);
  expect(ann.payloads("receive_message")).toEqual([]);
  expect(eve.seen).toEqual([]);

  // Both histories contain exactly these messages in order; the intruder's is empty.
  for (const user of [ann, bob]) {
    const history: Message[] = [];
    while (history.length < 300) {
      const query = `thread_id=${thread_id}&after_seq=${history.length}&limit=200`;
      const page = (await user.call("GET", `/messages/${user.id}?${query}`)).body as Message[];
      expect(page.length).toBeGreaterThan(0);
      history.push(...page);
    }
    expect(history.map((message) => message.text)).toEqual(texts);
    expect(history.map((message) => message.seq)).toEqual(texts.map((_, index) => index + 1));
    expect((await user.call("GET", `/messages/${user.id}`)).body).toHaveLength(50);
  }
  expect((await eve.call("GET", `/messages/${eve.id}`)).body).toEqual([]);
  expect((await eve.call("GET", `/messages/${ann.id}`)).status).toBe(403);
  expect((await eve.call("GET", `/messages/${eve.id}?thread_id=${thread_id}`)).status).toBe(403);
  expect((await eve.call("PUT", "/update_message_read", { thread_id })).status).toBe(403);

  const stranger = new ProtocolClient(baseURL ?? "", "nobody");
  for (const path of [
    `/users/${ann.id}`,
    "/users",
    `/friends/${ann.id}`,
    `/messages/${ann.id}`,
    `/threads/${ann.id}`,
  ]) {
    expect([path, (await stranger.call("GET", path)).status]).toEqual([path, 401]);
  }
  await expect(stranger.connect()).rejects.toMatchObject({ description: 401 });
  for (const user of [ann, bob, eve, stranger]) user.close();
});

test("rejects invalid requests with an error and does not route internal paths", async ({ baseURL }) => {
  const user = await new ProtocolClient(baseURL ?? "", uniqueName("Path")).register();
  const big = await user.call("POST", "/users", { name: "x".repeat(101_000) });
  expect(big).toMatchObject({ status: 413, body: { error: expect.any(String) } });
  for (const path of [
    "/internal/messages",
    "/users/../internal/messages",
    "/readyz",
    "/metrics",
    "//internal/messages",
    "/nothing",
  ]) {
    const answer = await user.call("GET", path);
    expect([path, answer.status]).toEqual([path, 404]);
  }
  expect((await fetch(`${baseURL}/healthz`)).status).toBe(200);
});
