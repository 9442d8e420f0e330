import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { Fragment, type ReactElement, useEffect, useState } from "react";
import { notSentIn, type ThreadMessage } from "../../state/thread/shownMessages.ts";
import type { Thread } from "../../state/thread/thread.ts";
import { hasNewer, isLoaded } from "../../state/thread/window.ts";
import { announcement, failureAnnouncement, newestSeq } from "./arrivals.ts";
import { friendReactions, reactionAnnouncement } from "./friendReactions.ts";

/** Long enough to be read out. Then the text is removed, because users who browse the page would find it twice. */
const CLEAR_AFTER_MS = 3000;

export interface AnnouncerProps {
  friendName: string;
  thread: Thread;
  messages: readonly ThreadMessage[];
}

/**
 * Renders live regions that announce the friend's new messages and reactions, but no history and no times. An own
 * message that could not be sent interrupts. Use the thread id as `key`.
 */
export function Announcer({ friendName, thread, messages }: AnnouncerProps): ReactElement {
  const [seenSeq, setSeenSeq] = useState<number | null>(null);
  const [seen, setSeen] = useState({ messages, reactions: friendReactions(messages) });
  const [news, setNews] = useState<Spoken | null>(null);
  const [failure, setFailure] = useState<Spoken | null>(null);
  const { outbox } = thread;
  const [seenOutbox, setSeenOutbox] = useState({ outbox, notSent: notSentIn(thread) });

  // What arrives in one render is read out together: the second text would replace the first.
  const heard: string[] = [];
  // A thread that opens far back has newer messages, which are not news when they are shown.
  if (isLoaded(thread) && seenSeq === null) setSeenSeq(Math.max(thread.lastSeq, newestSeq(messages)));
  if (seenSeq !== null && newestSeq(messages) > seenSeq) {
    setSeenSeq(newestSeq(messages));
    if (!hasNewer(thread)) heard.push(announcement(messages, seenSeq, friendName));
  }
  if (seen.messages !== messages) {
    setSeen({ messages, reactions: friendReactions(messages) });
    heard.push(reactionAnnouncement(messages, seen.reactions, friendName));
  }
  const text = heard.filter((part) => part !== "").join("\n");
  if (text !== "") setNews(following(text));
  if (seenOutbox.outbox !== outbox) {
    const notSent = notSentIn(thread);
    const failed = notSent.filter(({ key }) => seenOutbox.notSent.every((message) => message.key !== key));
    setSeenOutbox({ outbox, notSent });
    if (failed.length > 0) setFailure(following(failureAnnouncement(failed)));
  }

  useEffect(() => {
    if (news === null && failure === null) return;
    const timer = setTimeout(() => {
      setNews(null);
      setFailure(null);
    }, CLEAR_AFTER_MS);
    return () => clearTimeout(timer);
  }, [news, failure]);

  return (
    <>
      <VisuallyHidden aria-live="polite">
        {news ? <Fragment key={news.count}>{news.text}</Fragment> : null}
      </VisuallyHidden>
      <VisuallyHidden aria-live="assertive">
        {failure ? <Fragment key={failure.count}>{failure.text}</Fragment> : null}
      </VisuallyHidden>
    </>
  );
}

/** A text in a live region. A new number inserts it anew: a text that stays in the region is not read out again. */
interface Spoken {
  text: string;
  count: number;
}

const following = (text: string) => (last: Spoken | null) => ({ text, count: (last?.count ?? 0) + 1 });
