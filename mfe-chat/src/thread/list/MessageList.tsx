import { type ReactElement, type RefObject, useMemo, useState } from "react";
import { Virtualizer } from "virtua";
import { useRowFocus } from "../../keyboard/useRowFocus.ts";
import { firstRows } from "../../scrolling/firstRows.ts";
import { useSettled } from "../../scrolling/useSettled.ts";
import type { Jump } from "../../state/chatState.ts";
import { isAnswerable } from "../../state/thread/messageRights.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import type { Thread } from "../../state/thread/thread.ts";
import { firstUnreadSeq } from "../../state/thread/unread.ts";
import { hasNewer, windowOf } from "../../state/thread/window.ts";
import { useMomentary } from "../../time/useMomentary.ts";
import { DayHeading } from "../days/DayHeading.tsx";
import { groupByDay, type Row } from "../days/groupByDay.ts";
import { MessageMenu } from "../menu/MessageMenu.tsx";
import { useMessageMenu } from "../menu/useMessageMenu.ts";
import type { Act } from "../menu/useRowActions.tsx";
import { MessageRow } from "../message/MessageRow.tsx";
import { useReplyGestures } from "../reply/useReplyGestures.ts";
import type { useSelection } from "../selection/useSelection.ts";
import { useSelectionFocus } from "../selection/useSelectionFocus.ts";
import { HISTORY_EDGE_PX, HistoryEdge, NewerEdge } from "./HistoryEdge.tsx";
import { JumpToLatest } from "./JumpToLatest.tsx";
import { type ListWindow, nextWindow } from "./listWindow.ts";
import css from "./MessageList.module.css";
import { UnreadLine } from "./UnreadLine.tsx";
import { useListScroll } from "./useListScroll.ts";

/** Height of a message with one line, from MessageRow.module.css. Most messages of a conversation are short. */
const ROW_PX = 42;
/** Rows beyond the visible ones, in px. */
const BUFFER_PX = 600;
/** How long the day of the first visible message covers it after a scroll. */
const TOP_DAY_MS = 1500;

export interface MessageListProps {
  friendName: string;
  thread: Thread;
  messages: readonly ThreadMessage[];
  dayLevel: 2 | 3;
  jump: Jump | null;
  /** Nonce of the last completed jump; kept when the list unmounts. */
  madeJump: RefObject<number>;
  /** Whether the friend can still be written to. */
  canWrite: boolean;
  onAct: Act;
  /** Called when the element that had the focus has disappeared. */
  onFocusLost: () => void;
  selecting: Pick<ReturnType<typeof useSelection>, "selection" | "choose">;
}

/** Renders a virtualised list of a thread's messages by day. Use the thread id as `key`. */
export function MessageList(props: MessageListProps): ReactElement {
  const { friendName, thread, messages, dayLevel, jump, madeJump, canWrite, onAct, onFocusLost, selecting } = props;
  const { selection, choose } = selecting;
  const isSelecting = selection !== null;
  const unreadSeq = firstUnreadSeq(thread, windowOf(thread));
  const rows = useMemo(() => groupByDay(messages, unreadSeq), [messages, unreadSeq]);
  const [list, setList] = useState<ListWindow>({ rows, isShifted: false, epoch: 0 });
  if (list.rows !== rows) setList(nextWindow(list, rows));
  const scroll = useListScroll({ list, thread, messages, firstUnreadSeq: unreadSeq, jump, madeJump });
  const { keys, rowOf, seqOf } = useMemo(() => messageKeys(rows, isSelecting), [rows, isSelecting]);
  const { listRef, tabStop, keptRows, handleKeyDown, handleFocus } = useRowFocus(keys, {
    isLastFirst: true,
    scrollTo: (index) => scroll.virtualizerRef.current?.scrollToIndex(rowOf[index] ?? 0, { align: "nearest" }),
    onExtend(from, to) {
      if (isSelecting) choose(seqOf.slice(Math.min(from, to), Math.max(from, to) + 1), true);
    },
  });
  const kept = keptRows.flatMap((index) => rowOf[index] ?? []);
  const isSettled = useSettled();
  const { menu, close, handlers } = useMessageMenu(
    messages,
    isSelecting ? ({ seq }) => choose([seq ?? 0], true) : null,
  );
  const [isScrolling, noteScroll] = useMomentary<true>(TOP_DAY_MS);
  const replyHandlers = useReplyGestures(messages, canWrite, onAct);
  useSelectionFocus(selection?.from ?? null, listRef);

  function renderRow(row: Row): ReactElement {
    if (row.kind === "day") {
      return (
        <div key={row.key} className={css.between}>
          <DayHeading timestamp={row.timestamp} level={dayLevel} />
        </div>
      );
    }
    if (row.kind === "unread") {
      return <UnreadLine key={row.key} count={thread.newCount} timestamp={row.timestamp} />;
    }
    return (
      <MessageRow
        key={row.key}
        message={row.message}
        friendName={friendName}
        isFollowed={row.isFollowed}
        highlight={scroll.found?.key === row.key ? scroll.found.nonce : 0}
        isTabStop={row.key === keys[tabStop]}
        isMenuOpen={row.key === menu?.message.key}
        canWrite={canWrite}
        isChosen={selection?.seqs.has(row.message.seq ?? 0) ?? null}
        onChoose={choose}
        onAct={onAct}
      />
    );
  }

  return (
    <div ref={listRef} className={css.frame} {...(isSelecting ? {} : replyHandlers)}>
      {/* The log is silent, because history and times must not be announced; Announcer announces new messages. */}
      <div
        ref={scroll.scrollerRef}
        role="log"
        aria-live="off"
        aria-label={`Messages with ${friendName}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
        tabIndex={0}
        className={css.scroller}
        {...handlers}
        onKeyDown={(event) => {
          handleKeyDown(event);
          handlers.onKeyDown(event);
        }}
        onFocus={handleFocus}
      >
        <div className={css.filler} />
        <HistoryEdge thread={thread} timestamp={messages[0]?.timestamp} dayLevel={dayLevel} />
        <Virtualizer
          key={list.epoch}
          ref={scroll.virtualizerRef}
          data={list.rows}
          shift={list.isShifted}
          startMargin={HISTORY_EDGE_PX}
          itemSize={ROW_PX}
          bufferSize={isSettled ? BUFFER_PX : 0}
          keepMounted={isSettled ? kept : [...kept, ...firstRows(scroll.startIndex, list.rows.length, ROW_PX)]}
          onScroll={() => {
            noteScroll(true);
            scroll.handleScroll();
          }}
          onResize={scroll.handleResize}
        >
          {renderRow}
        </Virtualizer>
        <NewerEdge thread={thread} />
      </div>
      {scroll.topDay === null ? null : (
        <div className={isScrolling ? css.topDay : `${css.topDay} ${css.faded}`} aria-hidden="true">
          <DayHeading timestamp={scroll.topDay} level={null} />
        </div>
      )}
      {menu ? <MessageMenu menu={menu} onClose={close} onAct={(action) => onAct(action, menu.message, menu)} /> : null}
      {scroll.isAway || hasNewer(thread) ? (
        <JumpToLatest
          count={scroll.belowCount}
          onGoToNew={scroll.isNewHidden ? scroll.goToNew : null}
          onGoToLatest={scroll.goToLatest}
          onFocusLost={onFocusLost}
        />
      ) : null}
    </div>
  );
}

/** Returns the keys of the messages that can have the focus, with the row and the number of each. */
function messageKeys(rows: readonly Row[], isSelecting: boolean) {
  const keys: string[] = [];
  const rowOf: number[] = [];
  const seqOf: number[] = [];
  rows.forEach((row, index) => {
    if (row.kind !== "message" || (isSelecting && !isAnswerable(row.message))) return;
    keys.push(row.key);
    rowOf.push(index);
    seqOf.push(row.message.seq ?? 0);
  });
  return { keys, rowOf, seqOf };
}
