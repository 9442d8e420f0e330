import type { Message } from "@messageoh/contracts/messages";
import {
  aMessage,
  aState,
  aThreadState,
  messagesBetween,
  pageLoaded,
  reduce,
  WITH_BOB,
} from "../../testing/builders.ts";
import type { ChatAction } from "./chatReducer.ts";
import { pinnedMessages } from "./thread/pins.ts";

const pinned = (seq: number, parts: Partial<Message> = {}): Message =>
  aMessage({ seq, pinned: { by: "bob", at: "2024-01-06T00:00:00.000Z" }, ...parts });
const changed = (...messages: Message[]): ChatAction => ({ type: "messagesChanged", messages });
const loaded = (...messages: Message[]): ChatAction => ({ type: "pinnedLoaded", threadId: WITH_BOB, messages });
const pending = (seq: number, is: boolean): ChatAction => ({
  type: "pendingChanged",
  pending: [{ kind: "pin", op_id: "a", thread_id: WITH_BOB, queued_at: 1, seq, pinned: is }],
});

/** Returns the pinned messages of Bob's thread, of whose 200 messages the newest five are loaded. */
function pins(...actions: ChatAction[]): (number | null)[] {
  const state = reduce(aState({ threads: [aThreadState({ last_seq: 200 })] }), [
    pageLoaded(messagesBetween(196, 200)),
    ...actions,
  ]);
  const thread = state.threads.get(WITH_BOB);
  return thread ? pinnedMessages(thread).map(({ seq }) => seq) : [];
}

describe("the pinned messages of a thread", () => {
  it("are those that the server lists and those that are pinned since, newest first", () => {
    expect(pins(loaded(pinned(7), pinned(90)))).toEqual([90, 7]);
    expect(pins(loaded(pinned(90)), changed(pinned(198, { change: 2 }), pinned(7, { change: 1 })))).toEqual([
      198, 90, 7,
    ]);
  });

  it("follow the changes of messages that are not loaded, in any order", () => {
    const unpinned = changed(aMessage({ seq: 7, change: 2 }));
    const list = loaded(pinned(7, { change: 1 }));
    expect(pins(list, unpinned)).toEqual([]);
    expect(pins(unpinned, list)).toEqual([]);
    expect(pins(changed(pinned(7, { change: 1 })), unpinned)).toEqual([]);
  });

  it("contain what the user has pinned or unpinned before the server has confirmed it", () => {
    expect(pins(pending(199, true))).toEqual([199]);
    expect(pins(loaded(pinned(7)), pending(7, false))).toEqual([]);
  });

  it("contain no hidden message", () => {
    const change = { thread_id: WITH_BOB, seq: 7, hidden: true };
    expect(pins(loaded(pinned(7), pinned(9)), { type: "messageMarked", change })).toEqual([9]);
  });
});
