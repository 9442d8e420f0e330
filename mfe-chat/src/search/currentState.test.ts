import { aMessage, aState, aThreadState, pageLoaded, reduce } from "../../testing/builders.ts";
import { currentState } from "./currentState.ts";

it("returns the newest known state of a message that a search has found", () => {
  const found = aMessage({ seq: 2, change: 1, text: "Found" });
  const newer = aMessage({ seq: 2, change: 2, text: "Newer" });
  const state = aState({ threads: [aThreadState({ last_seq: 3 })] });
  const of = (threads: typeof state) => currentState(found, [...threads.threads.values()])?.text;
  expect(of(state)).toBe("Found");
  expect(of(reduce(state, [{ type: "messagesChanged", messages: [newer] }]))).toBe("Newer");
  const change = { thread_id: found.thread_id, seq: 2, hidden: true };
  expect(of(reduce(state, [{ type: "messageMarked", change }]))).toBeUndefined();
  expect(of(reduce(state, [pageLoaded([aMessage({ seq: 1 }), newer])]))).toBe("Newer");
  expect(of(reduce(state, [pageLoaded([aMessage({ seq: 1 }), aMessage({ seq: 2 })])]))).toBe("Found");
});
