import { aThreadMessage } from "../../../testing/aThreadMessage.ts";
import { anAttachment } from "../../../testing/builders.ts";
import type { ShownReaction, ThreadMessage } from "../../state/thread/shownMessages.ts";
import { friendReactions, reactionAnnouncement } from "./friendReactions.ts";

const own = (seq: number, ...reactions: ShownReaction[]): ThreadMessage =>
  aThreadMessage(seq, { isMine: true, sendState: "read", ...(reactions.length > 0 ? { reactions } : {}) });
const thumb = { emoji: "👍", isMine: false };
const said = (before: readonly ThreadMessage[], after: readonly ThreadMessage[]) =>
  reactionAnnouncement(after, friendReactions(before), "Ann");

describe("the announcement of a friend's reactions", () => {
  it("names the reaction and the beginning of the own message", () => {
    const long = { ...own(1, thumb), text: `${"word ".repeat(20)}` };
    expect(said([own(1)], [own(1, thumb)])).toBe("Ann reacted 👍 to: Message 1");
    expect(said([own(1)], [long])).toBe("Ann reacted 👍 to: word word word word word word word word...");
  });

  it("names the kind of attachments without a caption, and reads no marks of the text", () => {
    const attachments = [anAttachment({ kind: "picture", name: "beach.webp" })];
    const photo = (...reactions: ShownReaction[]) => ({ ...own(1, ...reactions), text: "", attachments });
    expect(said([photo()], [photo(thumb)])).toBe("Ann reacted 👍 to: Photo");
    expect(said([own(1)], [{ ...own(1, thumb), text: "*We* are\n`here`" }])).toBe("Ann reacted 👍 to: We are here");
  });

  it("does not end within an emoji", () => {
    const letters = "a".repeat(39);
    expect(said([own(1)], [{ ...own(1, thumb), text: `${letters}😀😀` }])).toBe(`Ann reacted 👍 to: ${letters}😀...`);
    expect(said([own(1)], [{ ...own(1, thumb), text: `${letters}😀` }])).toBe(`Ann reacted 👍 to: ${letters}😀`);
  });

  it("names another reaction instead of the first, but not that one was removed", () => {
    expect(said([own(1, thumb)], [own(1, { emoji: "😂", isMine: false })])).toBe("Ann reacted 😂 to: Message 1");
    expect(said([own(1, thumb)], [own(1)])).toBe("");
  });

  it("leaves out what is not new: history, own reactions and those to the friend's messages", () => {
    expect(said([], [own(1, thumb)])).toBe("");
    expect(said([own(1, thumb)], [own(1, thumb)])).toBe("");
    expect(said([own(1)], [own(1, { emoji: "👍", isMine: true })])).toBe("");
    expect(said([aThreadMessage(1)], [aThreadMessage(1, { reactions: [thumb] })])).toBe("");
  });
});
