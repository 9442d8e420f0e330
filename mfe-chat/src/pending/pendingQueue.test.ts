import { ApiError } from "@messageoh/contracts/client";
import { fromMe } from "../../testing/builders.ts";
import { memoryStorage } from "../../testing/memoryStorage.ts";
import type { KeyValueStorage } from "../storage/browserStorage.ts";
import type { PendingChange, Stored } from "./pendingChange.ts";
import { createPendingQueue } from "./pendingQueue.ts";
import { createPendingStorage } from "./pendingStorage.ts";

/** Returns a tab with its queue, and a server that responds on demand. */
function aTab({ storage = memoryStorage().storage, isSender = true }: Partial<TabOptions> = {}) {
  // Without jitter.
  jest.spyOn(Math, "random").mockReturnValue(1);
  const sent: { change: PendingChange; respond: (stored: Stored) => Promise<void>; fail: Fail }[] = [];
  const tab = { isOnline: true, pending: [] as readonly PendingChange[], takenOver: 0 };
  const stored: Stored[] = [];
  const refused: string[] = [];
  const settle = async (act: () => void) => {
    act();
    await jest.advanceTimersByTimeAsync(0);
  };
  const queue = createPendingQueue({
    storage: createPendingStorage("me", storage),
    lock: {
      start: (onChange) => void (isSender && onChange(true)),
      takeOver() {
        tab.takenOver += 1;
      },
      stop: () => undefined,
    },
    send: (change) =>
      new Promise((resolve, reject) => {
        sent.push({
          change,
          respond: (result) => settle(() => resolve(result)),
          fail: (status, text) => settle(() => reject(new ApiError(status, text))),
        });
      }),
    canSend: () => tab.isOnline,
    onChange(pending) {
      tab.pending = pending;
    },
  });
  queue.listen({
    onStored: (message) => stored.push(message),
    onRefused: ({ kind }, { message }) => refused.push(`${kind}: ${message}`),
  });
  queue.start();
  return {
    queue,
    tab,
    sent,
    stored,
    refused,
    react: (emoji: string | null, seq = 1) => queue.add({ kind: "react", thread_id: "with-bob", seq, emoji }),
    edit: (text: string, base = 0) => queue.add({ kind: "edit", thread_id: "with-bob", seq: 1, text, base }),
    kinds: () => tab.pending.map(({ kind }) => kind),
  };
}

interface TabOptions {
  storage: KeyValueStorage;
  isSender: boolean;
}
type Fail = (status: number, text?: string) => Promise<void>;

describe("pending changes", () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => jest.useRealTimers());

  it("are sent one after the other in a thread, and removed when the server has stored them", async () => {
    const { react, queue, sent, stored, tab } = aTab();
    react("👍");
    queue.add({ kind: "delete", thread_id: "with-bob", seq: 2 });
    queue.add({ kind: "delete", thread_id: "with-cleo", seq: 1 });
    expect(sent.map(({ change }) => change.thread_id)).toEqual(["with-bob", "with-cleo"]);
    await sent[0]?.respond(fromMe({ change: 1 }));
    expect(sent[2]?.change).toMatchObject({ kind: "delete", seq: 2 });
    await sent[1]?.respond(fromMe());
    await sent[2]?.respond(fromMe());
    expect([tab.pending, stored.length]).toEqual([[], 3]);
  });

  it("survive a reload, and are sent when the network is back", async () => {
    const { storage, values } = memoryStorage();
    const before = aTab({ storage });
    before.tab.isOnline = false;
    before.react("👍");
    before.queue.stop();
    const after = aTab({ storage });
    expect(after.kinds()).toEqual(["react"]);
    await after.sent[0]?.respond(fromMe());
    expect(values.size).toBe(0);
  });

  it("replace an earlier one of the same kind and message that is not in flight", () => {
    const { react, edit, sent, tab } = aTab();
    react("👍");
    react("😂");
    edit("One", 2);
    react(null);
    edit("Two", 3);
    expect(sent).toHaveLength(1);
    expect(tab.pending).toMatchObject([
      { kind: "react", emoji: "👍" },
      { kind: "react", emoji: null },
      { kind: "edit", text: "Two", base: 2 },
    ]);
  });

  it("hide a message, and show it again if the user takes that back", async () => {
    const { queue, sent, stored, tab } = aTab();
    const hide = (hidden: boolean) => queue.add({ kind: "hide", thread_id: "with-bob", seq: 1, hidden });
    hide(true);
    hide(false);
    hide(true);
    hide(false);
    const result = { thread_id: "with-bob", seq: 1 };
    await sent[0]?.respond({ ...result, hidden: true });
    await sent[1]?.respond({ ...result, hidden: false });
    expect(sent.map(({ change }) => change)).toMatchObject([{ hidden: true }, { hidden: false }]);
    expect([stored, tab.pending]).toEqual([[expect.anything(), { ...result, hidden: false }], []]);
  });

  it("base an edit on the one before it", async () => {
    const { edit, sent } = aTab();
    edit("One");
    edit("Two");
    await sent[0]?.respond(fromMe({ edit_count: 1 }));
    expect(sent[1]?.change).toMatchObject({ text: "Two", base: 1 });
  });

  it("keep an edit whose response was lost, because the server may have it, and base the next one on it", async () => {
    const { edit, sent } = aTab();
    edit("One");
    await sent[0]?.fail(0);
    edit("Two");
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent[1]?.change).toMatchObject({ text: "One", op_id: sent[0]?.change.op_id });
    await sent[1]?.respond(fromMe({ edit_count: 1 }));
    expect(sent[2]?.change).toMatchObject({ text: "Two", base: 1 });
  });

  it.each([0, 401, 429, 500, 503])("are tried again after a failure with status %d", async (status) => {
    const { react, sent, refused, tab } = aTab();
    react("👍");
    await sent[0]?.fail(status);
    expect([sent.length, refused]).toEqual([1, []]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent).toHaveLength(2);
    expect(tab.pending).toHaveLength(1);
  });

  it.each([400, 403, 404, 409])("are given up if the server refuses with status %d", async (status) => {
    const { edit, react, sent, refused, kinds } = aTab();
    edit("One");
    react("👍");
    await sent[0]?.fail(status, "No");
    expect([refused, kinds(), sent.length]).toEqual([["edit: No"], ["react"], 2]);
  });

  it("wait for the tab that sends, which is replaced if it is stuck", async () => {
    const { react, sent, tab } = aTab({ isSender: false });
    react("👍");
    await jest.advanceTimersByTimeAsync(2_000);
    expect([sent.length, tab.takenOver]).toEqual([0, 1]);
  });

  it("of another tab are sent by this one", () => {
    const { storage, values } = memoryStorage();
    const other = aTab({ storage, isSender: false });
    const { queue, sent } = aTab({ storage });
    other.react("👍");
    const [key = "", newValue = null] = [...values][0] ?? [];
    queue.handleStorage({ key, newValue });
    expect(sent.map(({ change }) => change.kind)).toEqual(["react"]);
  });

  it("are not sent again after another tab has sent them", () => {
    const { storage } = memoryStorage();
    const suspended = aTab({ storage });
    suspended.tab.isOnline = false;
    suspended.react("👍");
    const other = aTab({ storage });
    other.queue.wipe();
    suspended.tab.isOnline = true;
    suspended.queue.flush();
    expect([suspended.kinds(), suspended.sent.length]).toEqual([[], 0]);
  });
});
