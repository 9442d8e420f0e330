import { ApiError } from "@messageoh/contracts/client";
import type { SendAck } from "@messageoh/contracts/realtime";
import { createFileStore, type FileBytes } from "../src/outbox/fileStore.ts";
import { createOutbox, type Outbox } from "../src/outbox/outbox.ts";
import { createOutboxStorage } from "../src/outbox/outboxStorage.ts";
import type { QueuedMessage } from "../src/outbox/queuedMessage.ts";
import type { TabLock } from "../src/outbox/tabLock.ts";
import type { PrepareFile, UploadWatch } from "../src/outbox/uploads.ts";
import type { KeyValueStorage } from "../src/storage/browserStorage.ts";
import { createPreparer } from "../src/uploading/uploader.ts";
import { anAttachment, fromMe } from "./builders.ts";
import { memoryStorage } from "./memoryStorage.ts";

interface Sent {
  entry: QueuedMessage;
  respond: (ack: SendAck) => Promise<void>;
  fail: () => Promise<void>;
}

interface Uploading extends UploadWatch {
  text: string;
  key: string;
  name: string;
  url: string | undefined;
  finish: () => Promise<void>;
  fail: (status: number, error?: string) => Promise<void>;
}

/** Returns a device that stores files for all tabs of a test. */
export function aDevice() {
  const kept = new Map<string, Blob>();
  const device: FileBytes = {
    put: async (key, bytes) => void kept.set(key, bytes),
    get: async (key) => kept.get(key),
    remove: async (keys) => keys.forEach((key) => void kept.delete(key)),
    sweep: async (used) => {
      for (const key of kept.keys()) if (!used.has(key)) kept.delete(key);
    },
  };
  return { device, kept };
}

/** Returns a tab with an outbox, its storage, a server that responds on demand, and a lock that the tab may hold. */
export function aTab({
  storage = memoryStorage().storage,
  isSender = true,
  device = null,
  prepareFile,
}: {
  device?: FileBytes | null;
  /** Replaces the preparation of files. */
  prepareFile?: PrepareFile;
  storage?: KeyValueStorage;
  isSender?: boolean;
} = {}) {
  // Without jitter.
  jest.spyOn(Math, "random").mockReturnValue(1);
  const sent: Sent[] = [];
  const stored: string[] = [];
  const attempts: boolean[] = [];
  const uploads: Uploading[] = [];
  const shares: number[] = [];
  const files = createFileStore(device && (async () => device));
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
    files,
    prepareFile: prepareFile ?? createPreparer(files),
    uploadFile: ({ text }, { key, name, url }, watch) =>
      new Promise((resolve, reject) => {
        uploads.push({
          ...watch,
          text,
          key,
          name,
          url,
          finish: () => settle(() => resolve(anAttachment({ id: `media-${name}`, name }))),
          fail: (status, error) => settle(() => reject(new ApiError(status, error))),
        });
      }),
    onProgress: (_, share) => shares.push(share),
    canSend: () => tab.isConnected,
    onChange(queue) {
      tab.queue = queue;
    },
    onStored: (message) => stored.push(message.text),
    onAttempt: (isLate) => attempts.push(isLate),
  });
  return {
    outbox,
    tab,
    sent,
    stored,
    attempts,
    uploads,
    shares,
    files,
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
  // Tests that read the bytes of files have no fake timers.
  await ("clock" in setTimeout ? jest.advanceTimersByTimeAsync(0) : new Promise((resolve) => setTimeout(resolve)));
}

/** Writes a message to Bob, or in another thread. */
export function write(outbox: Outbox, text: string, thread_id = "with-bob"): void {
  outbox.add({ client_id: `id-${text}`, thread_id, recipient_user_id: "bob", text });
}

/** Writes a message with files, which are stored on the device. */
export async function attach(
  { outbox, files }: Pick<ReturnType<typeof aTab>, "outbox" | "files">,
  text: string,
  ...names: string[]
): Promise<void> {
  const queued = names.map((name) => ({ key: `key-${name}`, name, bytes: 10, type: "text/plain" }));
  for (const { key, name } of queued) files.hold(key, new Blob([name]));
  outbox.add({ client_id: `id-${text}`, thread_id: "with-bob", recipient_user_id: "bob", text, files: queued });
  if (await files.save(queued.map(({ key }) => key))) outbox.keep(`id-${text}`);
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
