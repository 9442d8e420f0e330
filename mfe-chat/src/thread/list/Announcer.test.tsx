import { render } from "@testing-library/react";
import {
  aMessage,
  aQueued,
  aState,
  aThreadState,
  fromMe,
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

/**
 * Renders the announcer of Bob's thread of 1000 messages. Returns what it says, and a function that changes the state.
 */
function rendered(...first: ChatAction[]) {
  let state = reduce(aState({ threads: [aThreadState({ last_seq: 1000 })], openFriendId: "bob" }), first);
  const element = () => {
    const thread = state.threads.get(WITH_BOB) as Thread;
    return <Announcer friendName="Bob" thread={thread} messages={shownMessages(thread)} />;
  };
  const { container, rerender } = render(element());
  return {
    said: () => container.querySelector("[aria-live=polite]")?.textContent,
    /** The text that the browser has inserted last: it reads out nothing else. */
    inserted: () => container.querySelector("[aria-live=polite]")?.firstChild,
    alarm: () => container.querySelector("[aria-live=assertive]")?.textContent,
    change(...actions: ChatAction[]) {
      state = reduce(state, actions);
      rerender(element());
    },
  };
}

const farBack = pageLoaded(messagesBetween(376, 425), { around: 400 });
const newest = pageLoaded(messagesBetween(951, 1000));

const unsent = (...texts: string[]): ChatAction => ({
  type: "outboxChanged",
  outbox: texts.map((text) => aQueued({ client_id: text, text, state: "not-sent" })),
});

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

  it("reads out a message with the same text as the one before", () => {
    const { said, inserted, change } = rendered(newest);
    change(received(aMessage({ seq: 1001, text: "ok" })));
    const first = inserted();
    change(received(aMessage({ seq: 1002, text: "ok" })));
    expect(said()).toBe("Bob: ok");
    expect(inserted()).not.toBe(first);
  });

  it("reports each message that is not sent once, and again after another attempt", () => {
    const { alarm, change } = rendered(newest);
    change(unsent("A"));
    expect(alarm()).toBe("Message not sent: A");
    change(unsent("A", "B"));
    expect(alarm()).toBe("Message not sent: B");
    change(unsent("A"));
    expect(alarm()).not.toContain("A");
    change(unsent());
    change(unsent("A"));
    expect(alarm()).toBe("Message not sent: A");
  });

  it("does not report a message again on the way from a message far back to the newest ones", () => {
    const { alarm, change } = rendered(newest, unsent("A"));
    change(farBack);
    change({ type: "viewMoved", threadId: WITH_BOB, seq: null });
    expect(alarm()).toBe("");
  });

  it("reads out a message and a reaction that arrive at once", () => {
    const { said, change } = rendered(newest, received(fromMe({ seq: 1001, text: "Tea?" })));
    const reacted = fromMe({ seq: 1001, text: "Tea?", change: 1, reactions: [{ user_id: "bob", emoji: "👍" }] });
    change(received(aMessage({ seq: 1002, text: "Yes" })), { type: "messagesChanged", messages: [reacted] });
    expect(said()).toBe("Bob: Yes\nBob reacted 👍 to: Tea?");
  });

  it("reports all messages that fail at once, and only their number if there are many", () => {
    const { alarm, change } = rendered(newest);
    change(unsent("A", "B"));
    expect(alarm()).toBe("Message not sent: A\nMessage not sent: B");
    change(unsent("A", "B", "C", "D", "E", "F"));
    expect(alarm()).toBe("4 messages not sent");
  });
});
