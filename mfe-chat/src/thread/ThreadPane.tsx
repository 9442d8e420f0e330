import { isDeleted } from "@messageoh/contracts/avatars";
import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import type { ListedFriend } from "@messageoh/contracts/users";
import { EmptyState } from "@messageoh/ui-kit/feedback/EmptyState";
import { useBackToClose } from "@messageoh/ui-kit/overlays/useBackToClose";
import sadJellyfish from "@messageoh/ui-kit/sad-jellyfish.svg";
import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { FullScreenError } from "../errors/FullScreenError.tsx";
import { AddedYouNotice } from "../friendship/AddedYouNotice.tsx";
import { isEscape } from "../keyboard/onEscape.ts";
import { isCommand, useShortcuts } from "../keyboard/useShortcuts.ts";
import { RetryButton } from "../requests/RetryButton.tsx";
import { useWarmUp } from "../requests/useWarmUp.ts";
import { viewOnDemand } from "../requests/viewOnDemand.tsx";
import { useSettled } from "../scrolling/useSettled.ts";
import { composingOf } from "../state/thread/composing.ts";
import { isAnswerable } from "../state/thread/messageRights.ts";
import { rowsAt, shownMessages, type ThreadMessage } from "../state/thread/shownMessages.ts";
import type { Thread } from "../state/thread/thread.ts";
import { hasNewer, hasOlder, isLoaded } from "../state/thread/window.ts";
import { loadChooseFiles } from "../uploading/loadChooseFiles.ts";
import { useChat, useChatState } from "../useChat.ts";
import { viewsCode } from "./attachments/Attachments.tsx";
import { MessageComposer, Recorder, trayCode } from "./composer/MessageComposer.tsx";
import { Announcer } from "./list/Announcer.tsx";
import { MessageList } from "./list/MessageList.tsx";
import { DeleteMessageDialog, ForwardDialog, ReactionBar } from "./menu/dialogs.ts";
import { Notice } from "./menu/Notice.tsx";
import { useRowActions } from "./menu/useRowActions.tsx";
import { PinnedMessages } from "./pinned/PinnedMessages.tsx";
import { ThreadSearch } from "./search/ThreadSearch.tsx";
import { useSelection } from "./selection/useSelection.ts";
import { ThreadHeader } from "./ThreadHeader.tsx";
import css from "./ThreadPane.module.css";
import { ThreadSkeleton } from "./ThreadSkeleton.tsx";
import { TypingLine } from "./TypingLine.tsx";
import { useDroppedFiles } from "./useDroppedFiles.ts";

const SelectionBar = viewOnDemand(() => import("./selection/SelectionBar.tsx"), "SelectionBar");
const WORK_OFFLINE = [
  ...[DeleteMessageDialog, ForwardDialog, ReactionBar, Recorder, SelectionBar, trayCode, viewsCode].map(
    ({ load }) => load,
  ),
  loadChooseFiles,
];

export interface ThreadPaneProps {
  friend: ListedFriend;
  thread: Thread;
  /** Set if the thread fills the screen; called to return to the list. */
  onBack: (() => void) | null;
  /** Nonce of the last completed jump; kept when the thread unmounts. */
  madeJump: RefObject<number>;
  /** Whether to focus the composer when the thread opens. */
  isFocusWanted: boolean;
  /** Increases to move the focus into the thread. */
  focusRequest: number;
}

/** Renders a thread: header, messages and composer. Use the thread id as `key`. */
export function ThreadPane(props: ThreadPaneProps): ReactElement {
  const { friend, thread, onBack, madeJump, isFocusWanted, focusRequest } = props;
  const { threadId } = thread;
  const { openThread, attachments } = useChat();
  const messages = useShownMessages(thread);
  const jump = useChatState((state) => state.jump);

  const canWrite = !isDeleted(friend);
  /** Increases to move the focus into the composer. */
  const [composerRequest, setComposerRequest] = useState(0);
  const focusComposer = useCallback(() => setComposerRequest((count) => count + 1), []);
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    // There may be no composer, and on a phone it does not take the focus.
    if (composerRequest === 0 || document.activeElement !== document.body) return;
    const place = pane.current?.querySelector('[role="log"]') ?? pane.current?.querySelector("[tabindex]");
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
  }, [composerRequest]);
  const hasBar = friend.has_notice === true;
  const hadBar = useRef(hasBar);
  useEffect(() => {
    // The answer to a bar removes the focused button.
    if (hadBar.current && !hasBar && document.activeElement === document.body) focusComposer();
    hadBar.current = hasBar;
  }, [hasBar, focusComposer]);
  const { selection, begin, choose, end: endSelection } = useSelection();
  // Not in the list, which gives way to a skeleton when the server replaces what the device stores.
  const { act, opened } = useRowActions({ onFocusLost: focusComposer, onSelect: begin });
  const isRecording = useChatState((state) => state.recordingIn === threadId);
  // An edit and a selection hide the chosen files; a voice message is sent alone.
  const takesFiles = canWrite && selection === null && !isRecording && composingOf(thread)?.kind !== "edit";
  const drop = useDroppedFiles(takesFiles, (files) => void attachments.choose(threadId, files));
  const [isSearching, setIsSearching] = useState(false);
  const searchInput = useRef<HTMLInputElement>(null);
  useBackToClose(onBack !== null && isSearching, () => setIsSearching(false));
  useShortcuts((event) => {
    // Pressed again, the keys open the browser's own search.
    if (!isCommand(event, "f") || document.activeElement === searchInput.current) return;
    event.preventDefault();
    openSearch();
  });

  function openSearch(): void {
    setIsSearching(true);
    searchInput.current?.focus();
    searchInput.current?.select();
  }

  function handleKeyDown(event: KeyboardEvent): void {
    // The bar of a selection handles Esc too.
    if (!isEscape(event) || selection) return;
    if (isSearching) setIsSearching(false);
    else openThread(null);
  }

  return (
    <section
      ref={pane}
      className={css.pane}
      aria-label={`Thread with ${friend.name}`}
      onKeyDown={handleKeyDown}
      {...drop.handlers}
    >
      <ThreadHeader
        friend={friend}
        threadId={threadId}
        onBack={onBack}
        focusRequest={focusRequest}
        onSearch={openSearch}
      />
      {isSearching ? (
        <ThreadSearch threadId={threadId} inputRef={searchInput} onClose={() => setIsSearching(false)} />
      ) : null}
      {friend.has_notice ? <AddedYouNotice friend={friend} /> : null}
      <PinnedMessages thread={thread} canWrite={canWrite} onFocusLost={focusComposer} />
      <Body
        friendName={friend.name}
        thread={thread}
        messages={messages}
        jump={jump}
        madeJump={madeJump}
        dayLevel={onBack ? 2 : 3}
        canWrite={canWrite}
        onAct={act}
        onFocusLost={focusComposer}
        selecting={{ selection, choose }}
      />
      {opened}
      {/* Not in the list, which disappears with its only message. */}
      <div className={css.notice}>
        <Notice threadId={threadId} onFocusLost={focusComposer} />
      </div>
      <Announcer friendName={friend.name} thread={thread} messages={messages} />
      <div className={css.foot}>
        {selection ? (
          <SelectionBar
            threadId={threadId}
            friendName={friend.name}
            messages={rowsAt(thread, selection.seqs).filter(isAnswerable)}
            onClose={endSelection}
            onDeleted={focusComposer}
          />
        ) : null}
        {/* What was begun in the composer stays there during a selection. */}
        <div hidden={selection !== null}>
          {!canWrite ? (
            <p className={css.closed}>
              This account was deleted. You can read the messages of this thread, but not send new ones.
            </p>
          ) : (
            <>
              <TypingLine name={friend.name} threadId={threadId} />
              <MessageComposer
                threadId={threadId}
                friendName={friend.name}
                isFocusWanted={isFocusWanted}
                focusRequest={focusRequest + composerRequest}
              />
            </>
          )}
        </div>
      </div>
      {drop.isOver ? (
        <p className={css.drop}>
          <span>
            Drop files to send them to <bdi>{friend.name}</bdi>
          </span>
        </p>
      ) : null}
    </section>
  );
}

/** Returns the messages in the window of the thread, the same ones until they change. */
function useShownMessages(thread: Thread): ThreadMessage[] {
  const { segments, viewSeq, knownSeq, outbox, pending, hidden, starred, friendId, friendReadSeq, friendDeliveredSeq } =
    thread;
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are the parts on which the messages depend
  return useMemo(
    () => shownMessages(thread),
    [segments, viewSeq, knownSeq, outbox, pending, hidden, starred, friendId, friendReadSeq, friendDeliveredSeq],
  );
}

interface FailedThreadProps {
  threadId: string;
  /** The user has closed the error over the window. */
  isClosed: boolean;
  setIsClosed: (isClosed: boolean) => void;
  /** Called when Retry disappears with the focus. */
  onFocusLost: () => void;
}

/** Renders a closable error over the window if the first page cannot be loaded. */
function FailedThread({ threadId, isClosed, setIsClosed, onFocusLost }: FailedThreadProps): ReactElement {
  const { loadOlder } = useChat().messages;
  const isOffline = useChatState((state) => state.connection === "offline");
  const retry = useCallback(() => {
    setIsClosed(false);
    void loadOlder(threadId);
  }, [loadOlder, setIsClosed, threadId]);
  if (isOffline) {
    return <p className={css.failure}>You are offline. The messages will be loaded when the connection is back.</p>;
  }
  return (
    <div className={css.failure}>
      <p>{GENERIC_ERROR}</p>
      <RetryButton variant="secondary" onClick={retry} onFocusLost={onFocusLost} />
      {isClosed ? null : <FullScreenError onRetry={retry} onClose={() => setIsClosed(true)} />}
    </div>
  );
}

function Body(props: Parameters<typeof MessageList>[0]): ReactElement {
  const { thread, messages, onFocusLost } = props;
  // Also during the next attempts, which do not wait for the user.
  const [isErrorClosed, setIsErrorClosed] = useState(false);
  useWarmUp(WORK_OFFLINE, useSettled() && isLoaded(thread));
  if (!isLoaded(thread)) {
    if (!thread.hasFailed) return <ThreadSkeleton />;
    const closing = { isClosed: isErrorClosed, setIsClosed: setIsErrorClosed };
    return <FailedThread threadId={thread.threadId} {...closing} onFocusLost={onFocusLost} />;
  }
  // The user may have hidden all loaded messages; the list loads others.
  if (messages.length > 0 || hasOlder(thread) || hasNewer(thread)) return <MessageList {...props} />;
  return (
    <EmptyState
      className={css.empty}
      art={sadJellyfish}
      artAlt="A sad jellyfish"
      title="No messages here yet..."
      text="Don't be shy, send a message!"
    />
  );
}
