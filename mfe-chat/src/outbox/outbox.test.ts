import type { SendAck } from "@messageoh/contracts/realtime";
import { fromMe } from "../../testing/builders.ts";
import { memoryStorage } from "../../testing/memoryStorage.ts";
import type { QueuedMessage } from "../state/queuedMessage.ts";
import { createOutboxStorage, type KeyValueStorage } from "../storage/outboxStorage.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import type { SenderLock } from "./senderLock.ts";

interface Sent {
  entry: QueuedMessage;
  answer: (ack: SendAck) => Promise<void>;
  fail: () => Promise<void>;
}

/** A tab with an outbox on a storage, a server that answers when told to, and a lock that this tab has or has not. */
function aTab({
  storage = memoryStorage().storage,
  isSender = true,
}: {
  storage?: KeyValueStorage;
  isSender?: boolean;
} = {}) {
  const sent: Sent[] = [];
  const stored: string[] = [];
  const attempts: boolean[] = [];
  const tab = { queue: [] as readonly QueuedMessage[], isConnected: true, takenOver: 0 };
  let become: (isNowSender: boolean) => void = () => undefined;
  const lock: SenderLock = {
    start(onChange) {
      become = onChange;
      if (isSender) onChange(true);
    },
    takeOver() {
      tab.takenOver += 1;
      become(true);
    },
    stop: () => undefined,
  };
  const outbox = createOutbox({
    storage: createOutboxStorage("me", storage),
    lock,
    send: (entry) =>
      new Promise((resolve, reject) => {
        sent.push({
          entry,
          answer: (ack) => settle(() => resolve(ack)),
          fail: () => settle(() => reject(new Error("operation has timed out"))),
        });
      }),
    canSend: () => tab.isConnected,
    onChange(queue) {
      tab.queue = queue;
    },
    onStored: (message) => stored.push(message.text),
    onAttempt: (isLate) => attempts.push(isLate),
    random: () => 1,
  });
  return {
    outbox,
    tab,
    sent,
    stored,
    attempts,
    become: (isNowSender: boolean) => become(isNowSender),
    sentTexts: () => sent.map(({ entry }) => entry.text),
    states: () => tab.queue.map((entry) => `${entry.text}: ${entry.state}`),
  };
}

async function settle(act: () => void): Promise<void> {
  act();
  await jest.advanceTimersByTimeAsync(0);
}

function write(outbox: Outbox, text: string, thread_id = "with-bob"): void {
  outbox.add({ client_id: `id-${text}`, thread_id, recipient_user_id: "bob", text });
}

const ok = (text: string): SendAck => ({ message: fromMe({ client_id: `id-${text}`, text }) });
const busy: SendAck = { error: "Busy", is_retryable: true };
const MINUTE = 60_000;

describe("the outbox", () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  it("shows a message at once and sends it", () => {
    const { outbox, sentTexts, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    expect(states()).toEqual(["Hi: sending"]);
    expect(sentTexts()).toEqual(["Hi"]);
  });

  it("forgets a message once it is stored, and tells first that it is", async () => {
    const { outbox, sent, stored, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await sent[0]?.answer(ok("Hi"));
    expect(stored).toEqual(["Hi"]);
    expect(states()).toEqual([]);
  });

  it("sends the messages of a thread one after the other", async () => {
    const { outbox, sent, sentTexts } = aTab();
    outbox.start();
    write(outbox, "1");
    write(outbox, "2");
    expect(sentTexts()).toEqual(["1"]);
    await sent[0]?.answer(ok("1"));
    expect(sentTexts()).toEqual(["1", "2"]);
  });

  it("sends different threads side by side", () => {
    const { outbox, sentTexts } = aTab();
    outbox.start();
    write(outbox, "to Bob");
    write(outbox, "to Cleo", "with-cleo");
    expect(sentTexts()).toEqual(["to Bob", "to Cleo"]);
  });

  it("sends again after one second when no answer came, with the same id", async () => {
    const { outbox, sent } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await sent[0]?.fail();
    await jest.advanceTimersByTimeAsync(999);
    expect(sent).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(sent[1]?.entry.client_id).toBe(sent[0]?.entry.client_id);
  });

  it("waits longer after each failure, and not longer than 30 seconds", async () => {
    const { outbox, sent } = aTab();
    outbox.start();
    write(outbox, "Hi");
    const waits: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const start = Date.now();
      const count = sent.length;
      await sent.at(-1)?.answer(busy);
      while (sent.length === count) await jest.advanceTimersByTimeAsync(500);
      waits.push(Date.now() - start);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it("keeps the order when the first message has to be repeated", async () => {
    const { outbox, sent, sentTexts } = aTab();
    outbox.start();
    write(outbox, "1");
    write(outbox, "2");
    await sent[0]?.answer(busy);
    await jest.advanceTimersByTimeAsync(1000);
    await sent[1]?.answer(ok("1"));
    expect(sentTexts()).toEqual(["1", "1", "2"]);
  });

  it("says that a send was put off, and when it no longer is", async () => {
    const { outbox, sent, attempts } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await sent[0]?.answer(busy);
    await jest.advanceTimersByTimeAsync(1000);
    await sent[1]?.answer(ok("Hi"));
    expect(attempts).toEqual([true, false]);
  });

  it("waits without a connection, and sends at once when it is back", async () => {
    const { outbox, tab, sent, sentTexts } = aTab();
    tab.isConnected = false;
    outbox.start();
    write(outbox, "Hi");
    await jest.advanceTimersByTimeAsync(MINUTE);
    expect(sent).toHaveLength(0);
    tab.isConnected = true;
    outbox.kick();
    expect(sentTexts()).toEqual(["Hi"]);
  });

  it("does not wait for the next attempt after a reconnect", async () => {
    const { outbox, sent, tab } = aTab();
    outbox.start();
    write(outbox, "Hi");
    tab.isConnected = false;
    await sent[0]?.fail();
    tab.isConnected = true;
    outbox.kick();
    expect(sent).toHaveLength(2);
  });

  it("says not sent, and why, when the server refuses a message, and goes on with the next", async () => {
    const { outbox, tab, sent, sentTexts, states } = aTab();
    outbox.start();
    write(outbox, "1");
    write(outbox, "2");
    await sent[0]?.answer({ error: "You can only write to your friends", is_retryable: false });
    expect(states()).toEqual(["1: not-sent", "2: sending"]);
    expect(tab.queue[0]?.reason).toBe("You can only write to your friends");
    expect(sentTexts()).toEqual(["1", "2"]);
  });

  it("says not sent after five minutes", async () => {
    const { outbox, tab, states } = aTab();
    tab.isConnected = false;
    outbox.start();
    write(outbox, "Hi");
    await jest.advanceTimersByTimeAsync(5 * MINUTE - 1);
    expect(states()).toEqual(["Hi: sending"]);
    await jest.advanceTimersByTimeAsync(1);
    expect(states()).toEqual(["Hi: not-sent"]);
  });

  it("says not sent after five minutes of busy answers", async () => {
    const { outbox, sent, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    for (let minutes = 0; minutes < 6; minutes += 0.25) {
      await sent.at(-1)?.answer(busy);
      await jest.advanceTimersByTimeAsync(MINUTE / 4);
    }
    expect(states()).toEqual(["Hi: not-sent"]);
  });

  it("does not send a message by itself that was not sent", async () => {
    const { outbox, tab, sent } = aTab();
    tab.isConnected = false;
    outbox.start();
    write(outbox, "Hi");
    await jest.advanceTimersByTimeAsync(6 * MINUTE);
    tab.isConnected = true;
    outbox.kick();
    expect(sent).toHaveLength(0);
  });

  it("sends a retried message with the same id", async () => {
    const { outbox, sent, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await sent[0]?.answer({ error: "No", is_retryable: false });
    outbox.retry("id-Hi");
    expect(states()).toEqual(["Hi: sending"]);
    expect(sent[1]?.entry.client_id).toBe("id-Hi");
  });

  it("sends a new message although an older one was not sent", async () => {
    const { outbox, sent, sentTexts } = aTab();
    outbox.start();
    write(outbox, "Old");
    await sent[0]?.answer({ error: "No", is_retryable: false });
    write(outbox, "New");
    expect(sentTexts()).toEqual(["Old", "New"]);
  });

  it("deletes only what was not sent", async () => {
    const { outbox, sent, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    outbox.delete("id-Hi");
    expect(states()).toEqual(["Hi: sending"]);
    await sent[0]?.answer({ error: "No", is_retryable: false });
    outbox.delete("id-Hi");
    expect(states()).toEqual([]);
  });

  it("sends after a reload what was written before", () => {
    const { storage } = memoryStorage();
    const before = aTab({ storage });
    before.tab.isConnected = false;
    before.outbox.start();
    write(before.outbox, "1");
    write(before.outbox, "2");
    before.outbox.stop();

    const after = aTab({ storage });
    after.outbox.start();
    expect(after.states()).toEqual(["1: sending", "2: sending"]);
    expect(after.sentTexts()).toEqual(["1"]);
  });

  it("tries anew when the tab is opened a day later", async () => {
    const { storage } = memoryStorage();
    const before = aTab({ storage });
    before.tab.isConnected = false;
    before.outbox.start();
    write(before.outbox, "Hi");
    before.outbox.stop();
    await jest.advanceTimersByTimeAsync(24 * 60 * MINUTE);

    const after = aTab({ storage });
    after.outbox.start();
    expect(after.sentTexts()).toEqual(["Hi"]);
  });

  it("takes off the queue what was seen among the stored messages", () => {
    const { storage, values } = memoryStorage();
    const { outbox, states } = aTab({ storage });
    outbox.start();
    write(outbox, "Hi");
    outbox.settle(["id-Hi"]);
    expect(states()).toEqual([]);
    expect(values.size).toBe(0);
  });

  it("takes an answer that comes after the page was left", async () => {
    const { storage, values } = memoryStorage();
    const { outbox, sent } = aTab({ storage });
    outbox.start();
    write(outbox, "Hi");
    outbox.stop();
    await sent[0]?.answer(ok("Hi"));
    expect(values.size).toBe(0);
  });
});

describe("two tabs of one user", () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  /** Two tabs on one storage; as in a browser, a tab is told only of what the other one does. */
  function twoTabs() {
    let writer: "one" | "other" = "one";
    const { storage } = memoryStorage((event) => (writer === "one" ? other : one).outbox.handleStorage(event));
    const by = (name: "one" | "other"): KeyValueStorage => ({
      get length() {
        return storage.length;
      },
      key: storage.key,
      getItem: storage.getItem,
      setItem(key, value) {
        writer = name;
        storage.setItem(key, value);
      },
      removeItem(key) {
        writer = name;
        storage.removeItem(key);
      },
    });
    const one = aTab({ storage: by("one") });
    const other = aTab({ storage: by("other"), isSender: false });
    one.outbox.start();
    other.outbox.start();
    return { one, other };
  }

  it("show the same messages", () => {
    const { one, other } = twoTabs();
    write(other.outbox, "Hi");
    expect(one.states()).toEqual(["Hi: sending"]);
    expect(other.states()).toEqual(["Hi: sending"]);
  });

  it("send a message once, by the one that is the sender", async () => {
    const { one, other } = twoTabs();
    write(other.outbox, "Hi");
    expect(one.sentTexts()).toEqual(["Hi"]);
    expect(other.sentTexts()).toEqual([]);
    await one.sent[0]?.answer(ok("Hi"));
    expect(other.states()).toEqual([]);
  });

  it("go on when the sender is closed", () => {
    const { one, other } = twoTabs();
    one.tab.isConnected = false;
    write(one.outbox, "Hi");
    one.outbox.stop();
    other.become(true);
    expect(other.sentTexts()).toEqual(["Hi"]);
  });

  it("do not wait for a sender that sleeps in the background", async () => {
    const { one, other } = twoTabs();
    one.tab.isConnected = false;
    write(other.outbox, "Hi");
    await jest.advanceTimersByTimeAsync(2000);
    expect(other.tab.takenOver).toBe(1);
    expect(other.sentTexts()).toEqual(["Hi"]);
  });

  it("leave the sender alone while it does its work", async () => {
    const { one, other } = twoTabs();
    write(other.outbox, "Hi");
    await one.sent[0]?.answer(ok("Hi"));
    await jest.advanceTimersByTimeAsync(2000);
    expect(other.tab.takenOver).toBe(0);
  });

  it("delete and retry for each other", async () => {
    const { one, other } = twoTabs();
    write(one.outbox, "Hi");
    await one.sent[0]?.answer({ error: "No", is_retryable: false });
    other.outbox.retry("id-Hi");
    expect(one.sentTexts()).toEqual(["Hi", "Hi"]);
    await one.sent[1]?.answer({ error: "No", is_retryable: false });
    other.outbox.delete("id-Hi");
    expect(one.states()).toEqual([]);
  });

  it("agree again after one of them slept", async () => {
    const { storage } = memoryStorage();
    const one = aTab({ storage });
    const other = aTab({ storage, isSender: false });
    one.outbox.start();
    other.outbox.start();
    write(one.outbox, "1");
    await one.sent[0]?.answer({ error: "No", is_retryable: false });
    other.outbox.reload();
    expect(other.states()).toEqual(["1: not-sent"]);
    one.outbox.delete("id-1");
    other.outbox.reload();
    expect(other.states()).toEqual([]);
  });
});
