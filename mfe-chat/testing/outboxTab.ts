import type { SendAck } from "@messageoh/contracts/realtime";
import { createFileStore } from "../src/outbox/fileStore.ts";
import { createOutbox, type Outbox } from "../src/outbox/outbox.ts";
import { createOutboxStorage } from "../src/outbox/outboxStorage.ts";
import type { QueuedMessage } from "../src/outbox/queuedMessage.ts";
import type { TabLock } from "../src/outbox/tabLock.ts";
import type { KeyValueStorage } from "../src/storage/browserStorage.ts";
import { fromMe } from "./builders.ts";
import { memoryStorage } from "./memoryStorage.ts";

interface Sent {
  entry: QueuedMessage;
  respond: (ack: SendAck) => Promise<void>;
  fail: () => Promise<void>;
}

/** Returns a tab with an outbox, its storage, a server that responds on demand, and a lock that the tab may hold. */
export function aTab({
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
  const lock: TabLock = {
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
    files: createFileStore(null),
    uploadFile: () => new Promise(() => undefined),
    onProgress: () => undefined,
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
    /** Lets every send of the next `ms` time out, or be deferred by the server. */
    async failFor(ms: number, ack?: SendAck): Promise<void> {
      for (const end = Date.now() + ms; Date.now() < end; ) {
        if (ack) await sent.at(-1)?.respond(ack);
        else await sent.at(-1)?.fail();
        await jest.advanceTimersByTimeAsync(MINUTE / 4);
      }
    },
    sentTexts: () => sent.map(({ entry }) => entry.text),
    states: () => tab.queue.map((entry) => `${entry.text}: ${entry.state}`),
  };
}

async function settle(act: () => void): Promise<void> {
  act();
  await jest.advanceTimersByTimeAsync(0);
}

/** Writes a message to Bob, or in another thread. */
export function write(outbox: Outbox, text: string, thread_id = "with-bob"): void {
  outbox.add({ client_id: `id-${text}`, thread_id, recipient_user_id: "bob", text });
}

/** Returns the ack of a stored message. */
export const ok = (text: string): SendAck => ({ message: fromMe({ client_id: `id-${text}`, text }) });
/** The ack of a server that asks to retry. */
export const busy: SendAck = { error: "Busy", is_retryable: true };
export const MINUTE = 60_000;

/** Opens a tab without a connection. */
export function anOfflineTab(options?: Parameters<typeof aTab>[0]) {
  const opened = aTab(options);
  opened.tab.isConnected = false;
  opened.outbox.start();
  return {
    ...opened,
    connect(): void {
      opened.tab.isConnected = true;
      opened.outbox.flush();
    },
  };
}
