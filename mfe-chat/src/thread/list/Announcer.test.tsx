import { render } from "@testing-library/react";
import {
  aMessage,
  aState,
  aThreadState,
  messagesBetween,
  pageLoaded,
  received,
  reduce,
  WITH_BOB,
} from "../../../testing/builders.ts";
import type { ChatAction } from "../../state/chatReducer.ts";
import { shownMessages } from "../../state/thread/shownMessages.ts";
import type { Thread } from "../../state/thread/thread.ts";
import { Announcer } from "./Announcer.tsx";

/** Renders the announcer of Bob's thread of 1000 messages. Returns what it says, and a function that changes the state. */
function rendered(...first: ChatAction[]) {
  let state = reduce(aState({ threads: [aThreadState({ last_seq: 1000 })], openFriendId: "bob" }), first);
  const element = () => {
    const thread = state.threads.get(WITH_BOB) as Thread;
    return <Announcer friendName="Bob" thread={thread} messages={shownMessages(thread)} />;
  };
  const { container, rerender } = render(element());
  return {
    said: () => container.querySelector("[aria-live=polite]")?.textContent,
    change(...actions: ChatAction[]) {
      state = reduce(state, actions);
      rerender(element());
    },
  };
}

const farBack = pageLoaded(messagesBetween(376, 425), { around: 400 });
const newest = pageLoaded(messagesBetween(951, 1000));

describe("the announcer of messages", () => {
  it("says nothing about old messages on the way from a message far back to the newest ones", () => {
    const { said, change } = rendered(farBack);
    change(newest);
    expect(said()).toBe("");
    change(received(aMessage({ seq: 1001, text: "Tea?" })));
    expect(said()).toBe("Bob: Tea?");
  });

  it("reads out what has arrived while messages far back were shown", () => {
    const { said, change } = rendered(farBack);
    change(received(aMessage({ seq: 1001, text: "Tea?" })));
    expect(said()).toBe("");
    change(newest);
    expect(said()).toBe("Bob: Tea?");
  });
});
