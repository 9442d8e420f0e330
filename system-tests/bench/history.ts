import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { readOptions } from "@messageoh/cli/arguments";
import { runCommand } from "@messageoh/cli/command";
import { logProgress } from "@messageoh/cli/progress";
import { updateMessageRead } from "@messageoh/contracts/messages";
import { type Stack, startStackFor } from "@messageoh/stack/stack";
import mongoose from "mongoose";
import { createMessages, type MessageRow, messageKey } from "../../svc-messages/src/messages/message.model.ts";
import { newMessageId } from "../../svc-messages/src/messages/messageId.ts";
import { Account } from "../client/account.ts";
import { format, median, printTable } from "./figures.ts";
import { newId } from "./targets/baseline.ts";

// npm run bench:history measures response times while stored messages grow from 10,000 to 1,000,000. One thread of the user
// holds a tenth of them, so the last step searches 100,000 messages.
const { values } = readOptions("npm run bench:history", {
  sizes: ["10000,100000,1000000", "LIST", "stored messages at each step"],
  share: [0.1, "N", "share of the messages in one thread of the user"],
  calls: [25, "N", "calls per figure, which is their median"],
  json: [undefined, "FILE", "also writes the figures as JSON"],
});

const FRIENDS = 20;
const FRIEND_MESSAGES = 40;
const STRANGER_THREADS = 200;
const INSERT_BATCH = 500;
const WORDS =
  "the quick brown fox jumps over a lazy dog and then it sleeps under some old tree near our quiet river".split(" ");

interface Thread {
  id: string;
  users: [string, string];
  last: number;
}

process.env.BCRYPT_COST = "4";
await runCommand("bench", async (command) => measureAll(await startStackFor(command, { raisesLimits: true })));

async function measureAll(running: Stack): Promise<void> {
  const url = running.url.replace("localhost", "127.0.0.1");
  const connection = await mongoose.createConnection(running.mongoUrl, { dbName: "messages" }).asPromise();
  const ann = await Account.register(url, "Ann");
  const own: Thread[] = [];
  for (let made = 0; made <= FRIENDS; made += 1) {
    const friend = await Account.register(url, "Friend");
    own.push({ id: await ann.befriend(friend), users: [ann.id, friend.id], last: 0 });
  }
  const [long, ...short] = own as [Thread, ...Thread[]];
  const newThread = (): Thread => ({ id: newId(), users: [newId(), newId()], last: 0 });
  const strangers = Array.from({ length: STRANGER_THREADS }, newThread);
  for (const thread of short) await seed(connection, [thread], FRIEND_MESSAGES);
  let stored = FRIENDS * FRIEND_MESSAGES;

  const sizes = values.sizes.split(",").map(Number);
  const figures = new Map<string, number[]>();
  for (const size of sizes) {
    logProgress(`storing messages up to ${format(size)} ...`);
    const inLong = Math.floor(size * values.share);
    await seed(connection, [long], inLong - long.last);
    await seed(connection, strangers, size - stored - inLong);
    stored = Math.max(stored, size - inLong);
    logProgress(`measuring; load average ${loadavg()[0]?.toFixed(1)}`);
    for (const [action, ms] of await measure(ann, long)) {
      figures.set(action, [...(figures.get(action) ?? []), ms]);
      logProgress(`${action}: ${format(ms, 1)} ms`);
    }
  }
  await connection.close();
  process.stdout.write("\nMilliseconds, median; growth from the first size to the last\n\n");
  const rows = [...figures].map(([action, each]) => [
    action,
    ...each.map((ms) => format(ms, 1)),
    `${format((each.at(-1) as number) / (each[0] as number), 2)} x`,
  ]);
  printTable(["stored messages", ...sizes.map((size) => format(size)), "growth"], rows);
  if (values.json)
    await writeFile(values.json, `${JSON.stringify({ sizes, ...Object.fromEntries(figures) }, null, 2)}\n`);
}

/** Returns the median time of each of the user's actions, in milliseconds. */
async function measure(ann: Account, long: Thread): Promise<[action: string, ms: number][]> {
  const get = async (path: string): Promise<unknown[]> => {
    const response = await fetch(`${ann.url}/messageoh${path}`, { headers: { cookie: ann.cookie } });
    if (!response.ok) throw new Error(`${path} returned status ${response.status}`);
    return (await response.json()) as unknown[];
  };
  const messages = `/messages/${ann.id}`;
  const inLong = `${messages}?thread_id=${long.id}`;
  const markRead = (seq: number) => ann.call(updateMessageRead, { body: { thread_id: long.id, seq } });
  const expectSome = (found: unknown[], atLeast = 1): void => {
    if (found.length < atLeast) throw new Error(`expected ${atLeast} results, found ${found.length}`);
  };
  const begin = Math.max(1, long.last - 2_000);
  const third = 1 + Math.floor(long.last / 3);
  const search = (text: string) => get(`${messages}?search=${encodeURIComponent(text)}`);
  const first = await timed(async () => expectSome(await search(`number ${Math.floor(long.last / 2)}.`)));
  const home = [`/friends/${ann.id}`, `/threads/${ann.id}`, `${messages}?limit=1`];
  const page = async (range: string) => expectSome(await get(`${inLong}&${range}&limit=50`), 50);
  return [
    ["home: friends, threads, previews", await p50(() => Promise.all(home.map(get)))],
    ["home: 50 messages of each thread", await p50(() => get(messages))],
    ["paging back, 50 messages", await p50((call) => page(`before_seq=${long.last - 10 * call}`))],
    ["paging back, at the beginning", await p50((call) => page(`before_seq=${200 + call}`))],
    ["catching up, 50 messages", await p50((call) => page(`after_seq=${long.last - 60 - call}`))],
    ["marking read", await p50((call) => markRead(begin + call))],
    ["first search after writing", first],
    ["search, one match", await p50(async (call) => expectSome(await search(`number ${third + call}.`)))],
    ["search, many matches", await p50(async () => expectSome(await search("Quick brown"), 50))],
    ["search, no match", await p50(async () => expectSome(await search("zebra"), 0))],
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  await work();
  return performance.now() - beganAt;
}

async function p50(work: (call: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < values.calls + 3; call += 1) times.push(await timed(() => work(call)));
  // Skip three warm-up calls.
  return median(times.slice(3));
}

/** Inserts `count` messages, distributed over the threads, in the format of svc-messages. */
async function seed(connection: mongoose.Connection, threads: readonly Thread[], count: number): Promise<void> {
  const messages = await createMessages(connection);
  for (let done = 0; done < count; done += INSERT_BATCH) {
    const rows = Array.from({ length: Math.min(INSERT_BATCH, count - done) }, (_, index) => {
      const thread = threads[(done + index) % threads.length] as Thread;
      thread.last += 1;
      const [from, to] = thread.last % 2 === 0 ? thread.users : [thread.users[1], thread.users[0]];
      return newRow(thread, from, to);
    });
    await messages.insertMany(rows, { ordered: true });
  }
}

function newRow(thread: Thread, sending_user_id: string, recipient_user_id: string): MessageRow {
  const word = (offset: number) => WORDS[(thread.last * 7 + offset * 3) % WORDS.length];
  const filler = Array.from({ length: 8 }, (_, index) => word(index)).join(" ");
  const text =
    thread.last % 10 === 0 ? `the quick brown fox, number ${thread.last}.` : `${filler}, number ${thread.last}.`;
  return {
    _id: messageKey(thread.id, thread.last),
    id: newMessageId(),
    client_id: randomUUID(),
    thread_id: thread.id,
    seq: thread.last,
    sending_user_id,
    recipient_user_id,
    text,
    timestamp: new Date(),
  };
}
