import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Call } from "@messageoh/contracts/client";
import { getAccountData, listThreadsOfUsers, lookUpSessions } from "@messageoh/contracts/internal/users";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { aMessage } from "../../testing/messages.ts";
import { as, serveMessages, type TestService } from "../../testing/service.ts";
import type { Marks } from "../changes/marks.model.ts";
import type { Markers } from "../markers/marker.model.ts";
import { COLLECTION, type MessageRow, type Messages, messageKey } from "../messages/message.model.ts";
import { createDataExport } from "./dataExport.ts";

const ACCOUNT = {
  account: { id: "ann", name: "ann", avatar_id: "fox-id", created_at: "2026-01-01T00:00:00.000Z" },
  friends: [],
  sessions: [],
};

describe("the download of a user's data", () => {
  const users = new FakeUsers([threadBetween("ann", "bob"), threadBetween("ann", "cyd"), threadBetween("bob", "cyd")]);
  const { call } = users;
  let slow: unknown;
  const slowed: Call = async (endpoint, input) => {
    if (endpoint === slow) await pause(8);
    return call(endpoint, input);
  };
  let service: TestService;
  beforeAll(async () => {
    Object.assign(users, { call: slowed });
    service = await serveMessages(users);
  });
  afterAll(() => service.close());
  const store = (messages: unknown[]) => service.store(...messages);

  it("contains account, friends, sessions and the messages of all threads of the user, and no others", async () => {
    const toBob = Array.from({ length: 250 }, (_, index) => aMessage({ text: `line\n${index}` }));
    await store(toBob.slice(0, 125));
    await store(toBob.slice(125));
    await store([aMessage({ thread_id: "ann-cyd", recipient_user_id: "cyd", text: "hi" })]);
    await store([aMessage({ thread_id: "bob-cyd", sending_user_id: "bob", recipient_user_id: "cyd", text: "secret" })]);
    const exported = await service.call<{ messages: { text: string }[] }>("/messages/ann/export", as("ann"));
    const { status, body, headers } = exported;
    expect([status, headers.get("x-message-count"), headers.get("x-accel-buffering")]).toEqual([200, "251", "no"]);
    expect(body).toMatchObject({ account: { id: "ann" }, friends: [{ id: "bob" }, { id: "cyd" }], sessions: [] });
    const texts = body.messages.map(({ text }) => text);
    expect(texts).toEqual([...toBob.map(({ text }) => text), "hi"]);
    expect(body.messages[0]).toMatchObject({ thread_id: "ann-bob", seq: 1, sending_user_id: "ann", read: false });
  });

  it("contains the user's own messages to a former friend, with the name, and nothing of a pair without messages", async () => {
    users.threads.push(threadBetween("eve", "fay"));
    const toFay = { thread_id: "eve-fay", sending_user_id: "eve", recipient_user_id: "fay" };
    const toEve = { thread_id: "eve-fay", sending_user_id: "fay", recipient_user_id: "eve" };
    const lines = Array.from({ length: 205 }, (_, index) => `line ${index}`);
    await store([
      ...lines.slice(0, 150).map((text) => aMessage({ ...toFay, text })),
      aMessage({ ...toEve, text: "not yours" }),
    ]);
    await store(lines.slice(150).map((text) => aMessage({ ...toFay, text })));
    users.endFriendship("eve-fay");
    const fay = { id: "fay", name: "Fay", thread_id: "eve-fay" };
    users.formerFriends.set("eve", [fay, { id: "gus", name: "Gus", thread_id: "eve-gus" }]);
    const { body } = await service.call<{ messages: { text: string }[] }>("/messages/eve/export", as("eve"));
    expect(body).toMatchObject({ friends: [], former_friends: [fay] });
    expect(body.messages.map(({ text }) => text)).toEqual(lines);
  });

  it("is complete JSON for a user without messages", async () => {
    const { body } = await service.call("/messages/dan/export", as("dan"));
    expect(body).toMatchObject({ account: { id: "dan" }, friends: [], messages: [] });
  });

  it("runs once per user at a time, and again when it has ended", async () => {
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    users.beforeResponse = async () => {
      users.beforeResponse = async () => {};
      reached.resolve();
      await gate.promise;
    };
    const first = service.call("/messages/bob/export", as("bob"));
    await reached.promise;
    const second = await service.call("/messages/bob/export", as("bob"));
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(second.body.error).toBe("Your data is already being downloaded. Please try again in a minute");
    expect((await service.call("/messages/cyd/export", as("cyd"))).status).toBe(200);
    gate.resolve();
    expect((await first).status).toBe(200);
    expect(await download("bob")).toBe(200);
  });

  /** Stores more bytes in a thread than all buffers between the service and a client hold, by its users in turn. */
  async function storeMuch(one: string, other: string): Promise<void> {
    const text = "🎉".repeat(4_000);
    const rows = Array.from({ length: 1_500 }, (_, index): MessageRow => {
      const [seq, [from, to]] = [index + 1, index % 2 === 0 ? [one, other] : [other, one]];
      return {
        ...{ _id: messageKey(`${one}-${other}`, seq), id: `${one}-${seq}`, client_id: `${one}-${seq}`, seq },
        ...{ thread_id: `${one}-${other}`, sending_user_id: from, recipient_user_id: to, text, timestamp: new Date(0) },
      };
    });
    await service.connection.collection<MessageRow>(COLLECTION).insertMany(rows);
    users.threads.push(threadBetween(one, other));
  }
  const begin = async (name: string) => {
    const response = await fetch(`${service.url}/messages/${name}/export`, { headers: as(name) });
    return (response.body as ReadableStream<Uint8Array>).getReader();
  };
  type Reader = Awaited<ReturnType<typeof begin>>;
  async function readAll(reader: Reader): Promise<string> {
    const chunks: Uint8Array[] = [];
    for (let part = await reader.read(); !part.done; part = await reader.read()) chunks.push(part.value);
    return Buffer.concat(chunks).toString();
  }

  it("ends without its last part when the session ends", async () => {
    await storeMuch("gil", "hal");
    const reader = await begin("gil");
    await reader.read();
    users.signedOut.add("gil");
    service.sessions.forget("session-gil");
    await expect(readAll(reader)).rejects.toThrow();
  });

  it("goes on with the user's own messages when the friendship ends", async () => {
    await storeMuch("ida", "jon");
    const reader = await begin("ida");
    await reader.read();
    users.endFriendship("ida-jon");
    service.forgetThread("ida-jon", ["ida", "jon"]);
    const text = await readAll(reader);
    const countOf = (name: string) => text.split(`"sending_user_id":"${name}"`).length - 1;
    expect(text.endsWith("\n]}\n")).toBe(true);
    expect(text).toContain(`"id":"ida-1499"`);
    expect(countOf("jon")).toBeLessThan(countOf("ida") - 100);
  });

  /** Returns the status of a download, after some attempts: an earlier connection may close a moment later. */
  async function download(name: string): Promise<number> {
    for (let attempt = 1; ; attempt += 1) {
      const { status } = await service.call(`/messages/${name}/export`, as(name));
      if (status !== 429 || attempt === 100) return status;
      await pause(20);
    }
  }

  const MS = Array.from({ length: 16 }, (_, ms) => ms);

  /** Requests a download and resets the connection after a number of milliseconds. */
  async function abort(name: string, ms: number): Promise<void> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).on("error", () => {});
    socket.write(`GET /messages/${name}/export HTTP/1.1\r\nHost: a\r\nCookie: ${as(name).cookie}\r\n\r\n`);
    await pause(ms);
    socket.resetAndDestroy();
  }

  it.each([
    ["session", lookUpSessions],
    ["threads", listThreadsOfUsers],
    ["account", getAccountData],
  ])("frees the place of a client that leaves at any millisecond around the lookup of its %s", async (name, call) => {
    slow = call;
    const names = MS.map((ms) => `${name}${ms}`);
    await Promise.all(names.map(abort));
    expect(await Promise.all(names.map(download))).toEqual(MS.map(() => 200));
  });
});

describe("a download of 100,000 messages", () => {
  const COUNT = 100_000;

  it("reads 50 messages whenever the client has taken those before, each time after a pause", async () => {
    const thread = threadBetween("ann", "bob");
    let read = 0;
    const rowAt = (seq: number): MessageRow => ({
      ...{ _id: messageKey("ann-bob", seq), id: `${seq}`, client_id: `${seq}`, thread_id: "ann-bob", seq },
      ...{ sending_user_id: "ann", recipient_user_id: "bob", text: "hello", timestamp: new Date(0) },
    });
    const messages = {
      find: ({ _id }: { _id: { $gt: string } }) => ({
        sort: () => ({
          limit: (limit: number) => ({
            async toArray() {
              const after = Number(_id.$gt.split(":")[1]);
              const count = Math.min(limit, COUNT - after);
              read += count;
              return Array.from({ length: count }, (_, index) => rowAt(after + index + 1));
            },
          }),
        }),
      }),
    };
    const markers = { find: async () => () => ({ read_seq: COUNT, delivered_seq: COUNT }) };
    const none = { isShown: () => true, starredIn: () => [], draftIn: () => undefined };
    const marks = { find: async () => none };
    const exportParts = createDataExport(
      messages as never as Messages,
      markers as never as Markers,
      marks as never as Marks,
    );
    let received = 0;
    let last = "";
    let largest = 0;
    let pauses = 0;
    const pauseOnce = async () => {
      pauses += 1;
    };
    const parts = exportParts(ACCOUNT, [thread], async () => true, pauseOnce);
    for await (const part of parts) {
      received += part.match(/"text":"hello"/g)?.length ?? 0;
      expect(read - received).toBeLessThanOrEqual(50);
      expect(read).toBeLessThanOrEqual(50 * pauses);
      largest = Math.max(largest, part.length);
      last = part;
    }
    expect([received, last]).toEqual([COUNT, "\n]}\n"]);
    expect(largest).toBeLessThan(15_000);
  });
});

it("reads the drafts of 50 threads at a time", async () => {
  const threads = Array.from({ length: 120 }, (_, index) => threadBetween("ann", `bob${index}`));
  const draft = { text: "🎉".repeat(4_000), rev: 1 };
  const marks = {
    find: async () => ({ isShown: () => true, starredIn: () => [], draftIn: () => draft }),
  };
  const messages = { find: () => ({ sort: () => ({ limit: () => ({ toArray: async () => [] }) }) }) };
  const markers = { find: async () => () => ({ read_seq: 0, delivered_seq: 0 }) };
  const exportParts = createDataExport(
    messages as never as Messages,
    markers as never as Markers,
    marks as never as Marks,
  );
  const parts: string[] = [];
  for await (const part of exportParts(ACCOUNT, threads, async () => true)) parts.push(part);
  expect(Math.max(...parts.map((part) => Buffer.byteLength(part)))).toBeLessThan(50 * 17_000);
  expect(JSON.parse(parts.join(""))).toEqual({
    ...ACCOUNT,
    drafts: threads.map(({ thread_id }) => ({ thread_id, text: draft.text })),
    messages: [],
  });
});
