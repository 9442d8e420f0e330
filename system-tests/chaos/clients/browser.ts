import type { KeyValueStorage, QueuedMessage } from "mfe-chat/client";
import { memoryStorage } from "mfe-chat/testing/memoryStorage";
import type { Session } from "../checker/ledger.ts";

type StorageListener = (event: StorageEvent) => void;

let created = 0;

/** State that the tabs of one browser share: the session cookie, `localStorage` and web locks. */
export class Browser {
  session: Session;
  /** Realtime instance of the tab that sends the messages of both. */
  sendsThrough: string | undefined;
  readonly #id = `browser-${++created}`;
  readonly #values = new Map<string, string>();
  readonly #listeners = new Set<StorageListener>();
  readonly locks = {
    // Node.js implements the Web Locks API for its whole process, so the name contains the browser.
    request: (name: string, options: LockOptions, callback: () => Promise<void>): Promise<void> =>
      navigator.locks.request(`${this.#id}:${name}`, options, callback).then(() => undefined),
  };

  constructor(session: Session) {
    this.session = session;
  }

  /** Returns `localStorage` as one tab sees it: a change sends an event to the other tabs. */
  storageOf(own: () => StorageListener | undefined): KeyValueStorage {
    const notify = (change: Pick<StorageEvent, "key" | "newValue">) => {
      const event = change as StorageEvent;
      const others = [...this.#listeners].filter((listener) => listener !== own());
      setImmediate(() => {
        for (const listener of others) if (this.#listeners.has(listener)) listener(event);
      });
    };
    return memoryStorage(notify, this.#values).storage;
  }

  listen(listener: StorageListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Number of messages that wait in the outbox, without those that were refused or given up. */
  get unsent(): number {
    return this.#outbox.filter(({ state }) => state === "sending").length;
  }

  /** Texts of the messages that the outbox gave up after five minutes of failed attempts. The user may press Retry. */
  get givenUp(): string[] {
    return this.#outbox.filter(({ state, reason }) => state === "not-sent" && !reason).map(({ text }) => text);
  }

  /** Number of messages in the outbox. */
  get queued(): number {
    return this.#outbox.length;
  }

  get #outbox(): QueuedMessage[] {
    return [...this.#values].flatMap(([key, value]) => (key.startsWith("messageoh:outbox:") ? JSON.parse(value) : []));
  }
}
