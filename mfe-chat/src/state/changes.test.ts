import type { Message } from "@messageoh/contracts/messages";
import {
  aMessage,
  aState,
  aThreadState,
  messagesBetween,
  pageLoaded,
  received,
  reduce,
  shown,
  texts,
  WITH_BOB,
} from "../../testing/builders.ts";
import type { ChatAction } from "./chatReducer.ts";
import type { ChatState } from "./chatState.ts";
import { EARLY_MAX } from "./thread/changeRules.ts";

const edited = (seq: number, change: number): Message => aMessage({ seq, change, text: `Edited ${change}` });
const changed = (...messages: Message[]): ChatAction => ({ type: "messagesChanged", messages });
const cursor = (state: ChatState) => {
  const thread = state.threads.get(WITH_BOB);
  return [thread?.knownChange, thread?.lastChange];
};

/** Returns the state with five messages of Bob's thread, three of them unread, and `last_change` changes. */
function aThread(last_change = 0): ChatState {
  const threads = [aThreadState({ last_seq: 5, read_seq: 2, last_change })];
  return reduce(aState({ threads, openFriendId: null }), [pageLoaded(messagesBetween(1, 5))]);
}

describe("changes of messages", () => {
  it("begin at the last one when the thread is first listed, because its messages are in their newest state", () => {
    expect(cursor(aThread(7))).toEqual([7, 7]);
  });

  it("replace the message and move no order, marker and count", () => {
    const before = aThread();
    const after = reduce(before, [changed(edited(3, 1))]);
    expect(texts(after)).toEqual(["Text 1", "Text 2", "Edited 1", "Text 4", "Text 5"]);
    expect(cursor(after)).toEqual([1, 1]);
    expect(shown(after).thread.unreadCount).toBe(3);
    expect(shown(after).thread.lastMessage?.seq).toBe(5);
  });

  it("are applied in any order; the cursor waits for the missing one", () => {
    const ahead = reduce(aThread(), [changed(edited(3, 2))]);
    expect([texts(ahead)[2], cursor(ahead)]).toEqual(["Edited 2", [0, 2]]);
    expect(cursor(reduce(ahead, [changed(edited(4, 1))]))).toEqual([2, 2]);
  });

  it("never go back to an older state", () => {
    const state = reduce(aThread(), [changed(edited(3, 2)), changed(edited(3, 1)), received(aMessage({ seq: 3 }))]);
    expect(texts(state)[2]).toBe("Edited 2");
    expect(cursor(state)).toEqual([2, 2]);
  });

  it("of a message that is not loaded add no message, and are applied to an older page that arrives later", () => {
    const first = reduce(aState({ threads: [aThreadState({ last_seq: 5 })] }), [
      pageLoaded(messagesBetween(4, 5)),
      changed(edited(2, 1)),
    ]);
    expect([texts(first), cursor(first)]).toEqual([
      ["Text 4", "Text 5"],
      [1, 1],
    ]);
    const loaded = reduce(first, [pageLoaded(messagesBetween(1, 3), "more")]);
    expect(texts(loaded)).toEqual(["Text 1", "Edited 1", "Text 3", "Text 4", "Text 5"]);
    expect(loaded.threads.get(WITH_BOB)?.early).toEqual([]);
  });

  it("may overtake their own message", () => {
    const state = reduce(aThread(), [changed(edited(6, 1)), received(aMessage({ seq: 6 }))]);
    expect(texts(state).at(-1)).toBe("Edited 1");
    expect(shown(state).thread.unreadCount).toBe(4);
  });

  it("are kept for a limited number of messages that are not loaded", () => {
    const early = Array.from({ length: EARLY_MAX + 1 }, (_, index) => edited(10 + index, index + 1));
    const thread = reduce(aThread(), [changed(...early)]).threads.get(WITH_BOB);
    expect(thread?.early).toHaveLength(EARLY_MAX);
    expect(thread?.sinceChange).toBe(1);
  });

  it("that arrive while the chat shows what the device stores outlive it", () => {
    const stored = { friends: [], threads: [] };
    const state = reduce({ ...aState({ threads: [] }), status: "loading" }, [
      { type: "restored", ...stored },
      changed(edited(1, 3)),
      { type: "deviceLeft" },
      received(aMessage({ seq: 1 })),
      { type: "threadsSynced", threads: [aThreadState({ last_seq: 1, last_change: 2 })] },
    ]);
    expect([texts(state), cursor(state)]).toEqual([["Edited 3"], [3, 3]]);
  });
});
