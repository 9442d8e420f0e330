import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Jump } from "../../state/chatState.ts";
import { lastMessage, type ThreadMessage } from "../../state/thread/shownMessages.ts";
import type { Thread } from "../../state/thread/thread.ts";
import { hasNewer as hasNewerMessages } from "../../state/thread/window.ts";
import { useChat } from "../../useChat.ts";
import { dayKey } from "../days/dayHeading.ts";
import type { Row } from "../days/groupByDay.ts";
import { newestSeq } from "./arrivals.ts";
import { HISTORY_EDGE_PX } from "./HistoryEdge.tsx";
import type { ListWindow } from "./listWindow.ts";
import { isJumpDue, useFoundMessage } from "./useFoundMessage.ts";
import { usePageLoading } from "./usePageLoading.ts";

/** Distance from the top in px at which the day above the list gives way to a heading, so that it covers none. */
const HEADING_PX = 24;
/** Maximum distance from the end that counts as being at the end, in px. */
const AT_END_PX = 32;
/** Space above the line above the new messages in px, for the heading of the day above it. */
const UNREAD_MARGIN_PX = 44;
/** Space below the last row in px; together with the row's own it is as high as the typing hint. */
const END_MARGIN_PX = 16;

export interface ListScrollOptions {
  list: ListWindow;
  thread: Thread;
  messages: readonly ThreadMessage[];
  firstUnreadSeq: number | null;
  jump: Jump | null;
  madeJump: RefObject<number>;
}

/**
 * Controls the scroll position: at the first unread or newest message, at a found one, or where the reader scrolled.
 */
export function useListScroll(options: ListScrollOptions) {
  const { list, thread, messages, firstUnreadSeq, jump, madeJump } = options;
  const { rows, epoch } = list;
  const { threadId } = thread;
  const hasNewer = hasNewerMessages(thread);
  const { jumpToLatest } = useChat().messages;
  const scrollerRef = useRef<HTMLDivElement>(null);
  const virtualizerRef = useRef<VirtualizerHandle>(null);
  /** Whether the list follows the newest message. */
  const isStuck = useRef(true);
  const lastScroll = useRef({ scrollTop: 0, clientHeight: 0 });
  const placedEpoch = useRef(-1);
  const placedUnread = useRef<number | null>(null);
  const lastKey = useRef(rows.at(-1)?.key);
  const [isAway, setIsAway] = useState(false);
  const [topDay, setTopDay] = useState<string | null>(null);
  const latestSeq = Math.max(newestSeq(messages), lastMessage(thread)?.seq ?? 0);
  const [seenSeq, setSeenSeq] = useState(firstUnreadSeq === null ? latestSeq : firstUnreadSeq - 1);

  /** Own messages below, which another device has sent. */
  const ownBelow = thread.segments
    .filter(({ to }) => to > seenSeq)
    .flatMap((segment) => segment.messages)
    .filter(({ seq, sending_user_id }) => seq > seenSeq && seq <= latestSeq && sending_user_id !== thread.friendId);

  /** Row of the first message that the reader has not reached. */
  const newIndex = rows.findIndex(
    (row) => row.kind === "message" && !row.message.isMine && (row.message.seq ?? 0) > seenSeq,
  );
  const [isNewHidden, setIsNewHidden] = useState(false);

  // Read before `useFoundMessage` makes the jump.
  const foundIndex = isJumpDue(jump, threadId, madeJump) ? rows.findIndex((row) => row.key === jump.key) : -1;
  const isPlacedByJump = foundIndex >= 0;
  const unreadIndex = rows.findIndex((row) => row.kind === "unread");
  const loadWhatIsNear = usePageLoading(thread, scrollerRef, epoch);
  const found = useFoundMessage({
    rows,
    threadId,
    jump,
    madeJump,
    scrollTo: (index) => {
      isStuck.current = false;
      virtualizerRef.current?.scrollToIndex(index, { align: "center" });
    },
  });

  function goToEnd(): void {
    isStuck.current = true;
    virtualizerRef.current?.scrollToIndex(rows.length - 1, { align: "end", offset: END_MARGIN_PX });
  }

  function handleScroll(): void {
    const scroller = scrollerRef.current;
    if (!scroller) return;
    const { scrollHeight, clientHeight, scrollTop } = scroller;
    const isAtEnd = scrollHeight - clientHeight - scrollTop <= AT_END_PX && !hasNewer;
    // Growing content and another height of the list move the end without a scroll by the user; only scrolling up
    // leaves it.
    if (isAtEnd) isStuck.current = true;
    else if (clientHeight === lastScroll.current.clientHeight && scrollTop < lastScroll.current.scrollTop - 1)
      isStuck.current = false;
    lastScroll.current = { scrollTop, clientHeight };
    setIsAway(!isStuck.current);
    if (isStuck.current) setSeenSeq(latestSeq);
    const newTop = newIndex < 0 ? 0 : (virtualizerRef.current?.getItemOffset(newIndex) ?? 0);
    setIsNewHidden(newTop > scrollTop + clientHeight);
    const day =
      scrollTop > HISTORY_EDGE_PX - HEADING_PX ? dayAt(rows, virtualizerRef.current, scrollTop + HEADING_PX) : null;
    setTopDay((known) => (known && day && dayKey(known) === dayKey(day) ? known : day));
    loadWhatIsNear();
  }

  // Start at the first unread message or at the end. After a return to the tab, go to the messages that arrived
  // meanwhile.
  // biome-ignore lint/correctness/useExhaustiveDependencies: nothing else may scroll the list
  useLayoutEffect(() => {
    if (isPlacedByJump || (epoch === placedEpoch.current && !isStuck.current)) return;
    const isUnreadWanted = unreadIndex >= 0 && placedUnread.current !== firstUnreadSeq;
    placedEpoch.current = epoch;
    placedUnread.current = firstUnreadSeq;
    if (!isUnreadWanted) {
      goToEnd();
      return;
    }
    isStuck.current = false;
    virtualizerRef.current?.scrollToIndex(unreadIndex, { align: "start", offset: -UNREAD_MARGIN_PX });
  }, [epoch, firstUnreadSeq]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new last row scrolls the list
  useLayoutEffect(() => {
    const last = messages.at(-1);
    if (rows.at(-1)?.key === lastKey.current) return;
    lastKey.current = rows.at(-1)?.key;
    if (last?.sendState === "sending" || (isStuck.current && !hasNewer)) goToEnd();
  }, [rows]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows have the same effect as a scroll
  useEffect(handleScroll, [rows, hasNewer]);

  return {
    scrollerRef,
    virtualizerRef,
    handleScroll,
    handleResize: () => {
      if (isStuck.current) goToEnd();
    },
    /** Whether the reader is away from the newest message. */
    isAway,
    /** Number of the friend's messages below that the reader has not reached. */
    belowCount: Math.max(0, latestSeq - seenSeq - ownBelow.length),
    /** Whether the first of these messages is below the visible part. */
    isNewHidden: newIndex >= 0 && isNewHidden,
    goToNew: () => virtualizerRef.current?.scrollToIndex(newIndex, { align: "start", offset: -UNREAD_MARGIN_PX }),
    goToLatest: () => {
      // Also at the newest messages, because it ends a jump whose page is being loaded.
      jumpToLatest(threadId);
      goToEnd();
    },
    /** Row at which a new list starts. */
    startIndex: isPlacedByJump ? foundIndex : unreadIndex >= 0 ? unreadIndex : rows.length - 1,
    /** Timestamp on the day of the first visible message; `null` while that day's heading is visible. */
    topDay,
    found,
  };
}

/** Returns a timestamp on the day of the rows at an offset in px; `null` if a heading is there. */
function dayAt(rows: readonly Row[], virtualizer: VirtualizerHandle | null, offset: number): string | null {
  const at = virtualizer?.findItemIndex(offset) ?? 0;
  if (rows[at]?.kind === "day") return null;
  const first = rows.slice(at, at + 2).find((row) => row.kind === "message");
  return first?.message.timestamp ?? null;
}
