import type { SendAck } from "@messageoh/contracts/realtime";
import { fromMe } from "../../testing/builders.ts";
import { memoryStorage } from "../../testing/memoryStorage.ts";
import type { QueuedMessage } from "../state/queuedMessage.ts";
import { createOutboxStorage, type KeyValueStorage } from "../storage/outboxStorage.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import type { SenderLock } from "./senderLock.ts";

interface Sent {
  entry: QueuedMessage;
  respond: (ack: SendAck) => Promise<void>;
  fail: () => Promise<void>;
}

/** Returns a tab with an outbox, its storage, a server that responds on demand, and a lock that the tab may hold. */
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
          respond: (ack) => settle(() => resolve(ack)),
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

describe("outbox", () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  it("shows a message at once and sends it", () => {
    const { outbox, sentTexts, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    expect(states()).toEqual(["Hi: sending"]);
    expect(sentTexts()).toEqual(["Hi"]);
  });

  it("removes a stored message after reporting it", async () => {
    const { outbox, sent, stored, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await sent[0]?.respond(ok("Hi"));
    expect(stored).toEqual(["Hi"]);
    expect(states()).toEqual([]);
  });

  it("sends the messages of a thread one at a time", async () => {
    const { outbox, sent, sentTexts } = aTab();
    outbox.start();
    write(outbox, "1");
    write(outbox, "2");
    expect(sentTexts()).toEqual(["1"]);
    await sent[0]?.respond(ok("1"));
    expect(sentTexts()).toEqual(["1", "2"]);
  });

  it("sends to different threads in parallel", () => {
    const { outbox, sentTexts } = aTab();
    outbox.start();
    write(outbox, "to Bob");
    write(outbox, "to Cleo", "with-cleo");
    expect(sentTexts()).toEqual(["to Bob", "to Cleo"]);
  });

  it("resends with the same id one second after a timeout", async () => {
    const { outbox, sent } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await sent[0]?.fail();
    await jest.advanceTimersByTimeAsync(999);
    expect(sent).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(sent[1]?.entry.client_id).toBe(sent[0]?.entry.client_id);
  });

  it("increases the backoff with each failure up to 30 seconds", async () => {
    const { outbox, sent } = aTab();
    outbox.start();
    write(outbox, "Hi");
    const waits: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const start = Date.now();
      const count = sent.length;
      await sent.at(-1)?.respond(busy);
      while (sent.length === count) await jest.advanceTimersByTimeAsync(500);
      waits.push(Date.now() - start);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it("keeps the order if the first message is retried", async () => {
    const { outbox, sent, sentTexts } = aTab();
    outbox.start();
    write(outbox, "1");
    write(outbox, "2");
    await sent[0]?.respond(busy);
    await jest.advanceTimersByTimeAsync(1000);
    await sent[1]?.respond(ok("1"));
    expect(sentTexts()).toEqual(["1", "1", "2"]);
  });

  it("reports a deferred send, and when sends are accepted again", async () => {
    const { outbox, sent, attempts } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await sent[0]?.respond(busy);
    await jest.advanceTimersByTimeAsync(1000);
    await sent[1]?.respond(ok("Hi"));
    expect(attempts).toEqual([true, false]);
  });

  it("waits without a connection, and sends when it is back", async () => {
    const { outbox, tab, sent, sentTexts } = aTab();
    tab.isConnected = false;
    outbox.start();
    write(outbox, "Hi");
    await jest.advanceTimersByTimeAsync(MINUTE);
    expect(sent).toHaveLength(0);
    tab.isConnected = true;
    outbox.flush();
    expect(sentTexts()).toEqual(["Hi"]);
  });

  it("skips the backoff after a reconnect", async () => {
    const { outbox, sent, tab } = aTab();
    outbox.start();
    write(outbox, "Hi");
    tab.isConnected = false;
    await sent[0]?.fail();
    tab.isConnected = true;
    outbox.flush();
    expect(sent).toHaveLength(2);
  });

  it("marks a refused message as not sent with the reason, and continues with the next", async () => {
    const { outbox, tab, sent, sentTexts, states } = aTab();
    outbox.start();
    write(outbox, "1");
    write(outbox, "2");
    await sent[0]?.respond({ error: "You can only write to your friends", is_retryable: false });
    expect(states()).toEqual(["1: not-sent", "2: sending"]);
    expect(tab.queue[0]?.reason).toBe("You can only write to your friends");
    expect(sentTexts()).toEqual(["1", "2"]);
  });

  it("marks a message as not sent after five minutes", async () => {
    const { outbox, tab, states } = aTab();
    tab.isConnected = false;
    outbox.start();
    write(outbox, "Hi");
    await jest.advanceTimersByTimeAsync(5 * MINUTE - 1);
    expect(states()).toEqual(["Hi: sending"]);
    await jest.advanceTimersByTimeAsync(1);
    expect(states()).toEqual(["Hi: not-sent"]);
  });

  it("marks a message as not sent after five minutes of deferred sends", async () => {
    const { outbox, sent, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    for (let minutes = 0; minutes < 6; minutes += 0.25) {
      await sent.at(-1)?.respond(busy);
      await jest.advanceTimersByTimeAsync(MINUTE / 4);
    }
    expect(states()).toEqual(["Hi: not-sent"]);
  });

  it("does not retry a message that was not sent by itself", async () => {
    const { outbox, tab, sent } = aTab();
    tab.isConnected = false;
    outbox.start();
    write(outbox, "Hi");
    await jest.advanceTimersByTimeAsync(6 * MINUTE);
    tab.isConnected = true;
    outbox.flush();
    expect(sent).toHaveLength(0);
  });

  it("sends a retried message with the same id", async () => {
    const { outbox, sent, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    await sent[0]?.respond({ error: "No", is_retryable: false });
    outbox.retry("id-Hi");
    expect(states()).toEqual(["Hi: sending"]);
    expect(sent[1]?.entry.client_id).toBe("id-Hi");
  });

  it("sends a new message after an older one was not sent", async () => {
    const { outbox, sent, sentTexts } = aTab();
    outbox.start();
    write(outbox, "Old");
    await sent[0]?.respond({ error: "No", is_retryable: false });
    write(outbox, "New");
    expect(sentTexts()).toEqual(["Old", "New"]);
  });

  it("deletes only messages that were not sent", async () => {
    const { outbox, sent, states } = aTab();
    outbox.start();
    write(outbox, "Hi");
    outbox.delete("id-Hi");
    expect(states()).toEqual(["Hi: sending"]);
    await sent[0]?.respond({ error: "No", is_retryable: false });
    outbox.delete("id-Hi");
    expect(states()).toEqual([]);
  });

  it("sends the messages of an earlier visit after a reload", () => {
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

  it("gives a message its full time again if the tab is opened a day later", async () => {
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

  it("removes messages that were found among the stored ones", () => {
    const { storage, values } = memoryStorage();
    const { outbox, states } = aTab({ storage });
    outbox.start();
    write(outbox, "Hi");
    outbox.settle(["id-Hi"]);
    expect(states()).toEqual([]);
    expect(values.size).toBe(0);
  });

  it("handles a response after the page was left", async () => {
    const { storage, values } = memoryStorage();
    const { outbox, sent } = aTab({ storage });
    outbox.start();
    write(outbox, "Hi");
    outbox.stop();
    await sent[0]?.respond(ok("Hi"));
    expect(values.size).toBe(0);
  });
});

describe("outbox in two tabs", () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  /** Returns two tabs on one storage. As in a browser, a tab gets events only for changes of the other one. */
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

  it("shows the same messages", () => {
    const { one, other } = twoTabs();
    write(other.outbox, "Hi");
    expect(one.states()).toEqual(["Hi: sending"]);
    expect(other.states()).toEqual(["Hi: sending"]);
  });

  it("sends a message once, from the tab with the lock", async () => {
    const { one, other } = twoTabs();
    write(other.outbox, "Hi");
    expect(one.sentTexts()).toEqual(["Hi"]);
    expect(other.sentTexts()).toEqual([]);
    await one.sent[0]?.respond(ok("Hi"));
    expect(other.states()).toEqual([]);
  });

  it("continues when the tab with the lock is closed", () => {
    const { one, other } = twoTabs();
    one.tab.isConnected = false;
    write(one.outbox, "Hi");
    one.outbox.stop();
    other.become(true);
    expect(other.sentTexts()).toEqual(["Hi"]);
  });

  it("takes the lock over from a tab that is frozen in the background", async () => {
    const { one, other } = twoTabs();
    one.tab.isConnected = false;
    write(other.outbox, "Hi");
    await jest.advanceTimersByTimeAsync(2000);
    expect(other.tab.takenOver).toBe(1);
    expect(other.sentTexts()).toEqual(["Hi"]);
  });

  it("does not take the lock over from a tab that sends", async () => {
    const { one, other } = twoTabs();
    write(other.outbox, "Hi");
    await one.sent[0]?.respond(ok("Hi"));
    await jest.advanceTimersByTimeAsync(2000);
    expect(other.tab.takenOver).toBe(0);
  });

  it("deletes and retries messages of the other tab", async () => {
    const { one, other } = twoTabs();
    write(one.outbox, "Hi");
    await one.sent[0]?.respond({ error: "No", is_retryable: false });
    other.outbox.retry("id-Hi");
    expect(one.sentTexts()).toEqual(["Hi", "Hi"]);
    await one.sent[1]?.respond({ error: "No", is_retryable: false });
    other.outbox.delete("id-Hi");
    expect(one.states()).toEqual([]);
  });

  it("synchronises after one of them was suspended", async () => {
    const { storage } = memoryStorage();
    const one = aTab({ storage });
    const other = aTab({ storage, isSender: false });
    one.outbox.start();
    other.outbox.start();
    write(one.outbox, "1");
    await one.sent[0]?.respond({ error: "No", is_retryable: false });
    other.outbox.reload();
    expect(other.states()).toEqual(["1: not-sent"]);
    one.outbox.delete("id-1");
    other.outbox.reload();
    expect(other.states()).toEqual([]);
  });
});
