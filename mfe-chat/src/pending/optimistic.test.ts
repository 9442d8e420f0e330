import {
  aLinkPreview,
  aMessage,
  aState,
  aThreadState,
  fromMe,
  pageLoaded,
  reduce,
  shown,
} from "../../testing/builders.ts";
import { withPending } from "./optimistic.ts";
import type { PendingMessageChange } from "./pendingChange.ts";

const ofMessage = { op_id: "a", thread_id: "with-bob", queued_at: 1_000_000 };
const edit = (seq: number, text: string): PendingMessageChange => ({ ...ofMessage, kind: "edit", seq, text, base: 0 });
const react = (seq: number, emoji: string | null): PendingMessageChange => ({
  ...ofMessage,
  kind: "react",
  seq,
  emoji,
});
const pin = (seq: number, pinned: boolean): PendingMessageChange => ({ ...ofMessage, kind: "pin", seq, pinned });
const deletion = (seq: number): PendingMessageChange => ({ ...ofMessage, kind: "delete", seq });

/** Returns how messages of the thread with Bob look with pending changes. */
function look(...pending: PendingMessageChange[]) {
  const reactions = [
    { user_id: "bob", emoji: "👍" },
    { user_id: "me", emoji: "😮" },
  ];
  const state = reduce(aState({ threads: [aThreadState({ last_seq: 2 })] }), [
    pageLoaded([aMessage({ seq: 1, reactions }), fromMe({ seq: 2 })]),
    { type: "pendingChanged", pending },
  ]);
  const { messages, lastMessage } = shown(state).thread;
  expect(messages.at(-1)).toEqual(lastMessage);
  return messages;
}

describe("a message with pending changes", () => {
  it("shows its new text as edited", () => {
    expect(look(edit(2, "New"))[1]).toMatchObject({ text: "New", editCount: 1 });
  });

  it("loses its link preview with the link, and keeps it otherwise", () => {
    const preview = aLinkPreview();
    const afterEdit = (text: string) => {
      const message = fromMe({ text: preview.url, preview });
      return withPending(message, [edit(1, text)], "bob").preview;
    };
    expect(afterEdit(`Look: ${preview.url}!`)).toEqual(preview);
    expect(afterEdit(`${preview.url}/2`)).toBeUndefined();
  });

  it("shows that it is deleted, whatever follows", () => {
    const [, deleted] = look(pin(2, true), deletion(2), react(2, "👍"), edit(2, "New"), pin(2, true));
    expect(deleted).toMatchObject({ text: "Message deleted", isDeleted: true });
    expect([deleted?.reactions, deleted?.isPinned]).toEqual([undefined, undefined]);
  });

  it("shows the own reaction instead of the earlier one", () => {
    const bob = { emoji: "👍", isMine: false };
    expect(look(react(1, "😂"))[0]?.reactions).toEqual([bob, { emoji: "😂", isMine: true }]);
    expect(look(react(1, null))[0]?.reactions).toEqual([bob]);
  });

  it("shows that it is pinned, or no longer", () => {
    expect(look(pin(1, true))[0]?.isPinned).toBe(true);
    expect(look(pin(1, true), pin(1, false))[0]?.isPinned).toBeUndefined();
  });

  it("is as it was without them", () => {
    expect(look()[1]).toMatchObject({ text: "Text 2" });
  });
});
