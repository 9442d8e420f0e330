import { summaryOf } from "@messageoh/contracts/attachments";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { type ReactElement, useEffect, useState } from "react";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import type { Thread } from "../../state/thread/thread.ts";
import { hasNewer, isLoaded } from "../../state/thread/window.ts";
import { announcement, newestSeq } from "./arrivals.ts";
import { friendReactions, reactionAnnouncement } from "./friendReactions.ts";

/** Long enough to be read out. Then the text is removed, because users who browse the page would find it twice. */
const CLEAR_AFTER_MS = 3000;

export interface AnnouncerProps {
  friendName: string;
  thread: Thread;
  messages: readonly ThreadMessage[];
}

/**
 * Renders live regions that announce the friend's new messages and reactions, but no history and no times. An own message that could
 * not be sent interrupts. Use the thread id as `key`.
 */
export function Announcer({ friendName, thread, messages }: AnnouncerProps): ReactElement {
  const [seenSeq, setSeenSeq] = useState<number | null>(null);
  const [seen, setSeen] = useState({ messages, reactions: friendReactions(messages) });
  const [news, setNews] = useState("");
  const [failure, setFailure] = useState("");
  const notSent = messages.findLast((message) => message.sendState === "not-sent");
  const [seenFailureKey, setSeenFailureKey] = useState(notSent?.key);

  // A thread that opens far back has newer messages, which are not news when they are shown.
  if (isLoaded(thread) && seenSeq === null) setSeenSeq(Math.max(thread.lastSeq, newestSeq(messages)));
  if (seenSeq !== null && newestSeq(messages) > seenSeq) {
    const text = announcement(messages, seenSeq, friendName);
    setSeenSeq(newestSeq(messages));
    if (text !== "" && !hasNewer(thread)) setNews(text);
  }
  if (seen.messages !== messages) {
    const text = reactionAnnouncement(messages, seen.reactions, friendName);
    setSeen({ messages, reactions: friendReactions(messages) });
    if (text !== "") setNews(text);
  }
  if (notSent?.key !== seenFailureKey) {
    setSeenFailureKey(notSent?.key);
    setFailure(notSent ? `Message not sent: ${summaryOf(notSent)}` : "");
  }

  useEffect(() => {
    if (news === "" && failure === "") return;
    const timer = setTimeout(() => {
      setNews("");
      setFailure("");
    }, CLEAR_AFTER_MS);
    return () => clearTimeout(timer);
  }, [news, failure]);

  return (
    <>
      <VisuallyHidden aria-live="polite">{news}</VisuallyHidden>
      <VisuallyHidden aria-live="assertive">{failure}</VisuallyHidden>
    </>
  );
}
