import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { type ReactElement, useEffect, useState } from "react";
import type { FriendEntry } from "../../view/model.ts";
import { announcement, newestSeq } from "./arrivals.ts";

/** Long enough to be read out. Then the text is removed, because users who browse the page would find it twice. */
const CLEAR_AFTER_MS = 3000;

/**
 * Renders live regions that announce the friend's new messages, but no history and no times. An own message that could
 * not be sent interrupts. Use the thread id as `key`.
 */
export function Announcer({ entry: { friend, thread } }: { entry: FriendEntry }): ReactElement {
  const { messages, isLoaded } = thread;
  const [seenSeq, setSeenSeq] = useState<number | null>(null);
  const [news, setNews] = useState("");
  const [failure, setFailure] = useState("");
  const notSent = messages.findLast((message) => message.sendState === "not-sent");
  const [seenFailureKey, setSeenFailureKey] = useState(notSent?.key);

  if (isLoaded && seenSeq === null) setSeenSeq(newestSeq(messages));
  if (seenSeq !== null && newestSeq(messages) > seenSeq) {
    const text = announcement(messages, seenSeq, friend.name);
    setSeenSeq(newestSeq(messages));
    if (text !== "" && !thread.hasNewer) setNews(text);
  }
  if (notSent?.key !== seenFailureKey) {
    setSeenFailureKey(notSent?.key);
    setFailure(notSent ? `Message not sent: ${notSent.text}` : "");
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
