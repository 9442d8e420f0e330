import { aMessage, aState, aThreadState, fromMe, received, reduce, WITH_BOB } from "../../../testing/builders.ts";
import type { ChatAction } from "../../state/chatReducer.ts";
import { deliveredSeq } from "./deliveredSeq.ts";

function delivered(lastSeq: number, readSeq: number, ...actions: ChatAction[]): number {
  const state = reduce(aState({ threads: [aThreadState({ last_seq: lastSeq, read_seq: readSeq })] }), actions);
  const thread = state.threads.get(WITH_BOB);
  return thread ? deliveredSeq(thread) : -1;
}

describe("deliveredSeq", () => {
  it("is 0 if everything is read", () => {
    expect(delivered(5, 5)).toBe(0);
  });

  it("includes the messages of the first response", () => {
    expect(delivered(5, 2)).toBe(5);
  });

  it("includes live messages", () => {
    expect(delivered(5, 5, received(aMessage({ seq: 6 }), aMessage({ seq: 7 })))).toBe(7);
  });

  it("ends before a gap", () => {
    expect(delivered(5, 4, received(aMessage({ seq: 7 })))).toBe(5);
  });

  it("ends at the friend's last message", () => {
    expect(delivered(5, 5, received(aMessage({ seq: 6 }), fromMe({ seq: 7 })))).toBe(6);
  });

  it("is 0 for own messages", () => {
    expect(delivered(5, 5, received(fromMe({ seq: 6 })))).toBe(0);
  });

  it("is 0 for messages that are read at once", () => {
    const open: ChatAction = { type: "friendOpened", friendId: "bob" };
    expect(delivered(5, 5, open, received(aMessage({ seq: 6 })))).toBe(0);
  });
});
