import { type ReactNode, useCallback, useRef, useState } from "react";
import { TOO_LATE } from "../../actions/changes.ts";
import { viewOnDemand } from "../../requests/viewOnDemand.tsx";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { useChat } from "../../useChat.ts";
import { DeleteMessageDialog, ForwardDialog, PictureViewer, ReactionBar } from "./dialogs.ts";

/**
 * What the user can do with a message, apart from copying. `select`: select it and others; `history`: see its earlier
 * texts; `view`: see its pictures; `retry`: send it again.
 */
export type RowAction =
  | "reply"
  | "react"
  | "forward"
  | "edit"
  | "pin"
  | "star"
  | "select"
  | "delete"
  | "history"
  | "view"
  | "retry";

/** Where the views of an action open, and what gets the focus back. */
interface ActPlace {
  opener: Element | null;
  /** Point in the window; by default below the opener. */
  at?: { x: number; y: number };
  /** Place of the picture to see among those of the message. */
  picture?: number;
}

/** Acts on a message. */
export type Act = (action: RowAction, message: ThreadMessage, place?: ActPlace) => void;

interface OpenAction {
  action: RowAction;
  message: ThreadMessage;
  at: { x: number; y: number };
  picture: number;
}

const EditHistoryDialog = viewOnDemand(() => import("../history/EditHistoryDialog.tsx"), "EditHistoryDialog");

export interface RowActionsOptions {
  /** Called when the element that had the focus has disappeared. */
  onFocusLost: () => void;
  /** Called with the message that the user selects first. */
  onSelect: (message: ThreadMessage) => void;
}

/** Returns the function that acts on a message, and the views that this opens. */
export function useRowActions({ onFocusLost, onSelect }: RowActionsOptions) {
  const { messages, changes, showNotice } = useChat();
  const [open, setOpen] = useState<OpenAction | null>(null);
  const opener = useRef<Element | null>(null);

  const act: Act = useCallback(
    (action, message, { opener: from, at, picture = 0 } = { opener: document.activeElement }) => {
      const { key, threadId, seq, isPinned = false, isStarred = false } = message;
      if (action === "reply" && seq !== null) changes.startReply(threadId, seq);
      else if (action === "edit") changes.startEdit(message);
      else if (action === "select") onSelect(message);
      else if (action === "pin" && seq !== null) {
        changes.pin(threadId, seq, !isPinned);
        showNotice(threadId, isPinned ? "Message unpinned" : "Message pinned for both of you");
      } else if (action === "star" && seq !== null) {
        changes.star(threadId, seq, !isStarred);
        showNotice(threadId, isStarred ? "Star removed" : "Message starred");
      } else if (action === "retry") {
        messages.retry(key);
        onFocusLost();
      } else if (action === "delete" && seq === null) {
        const isDeleted = messages.delete(key);
        showNotice(threadId, !isDeleted ? TOO_LATE : message.isUploading ? "Upload cancelled" : "Message deleted");
        if (isDeleted) onFocusLost();
      } else {
        opener.current = from;
        const { left: x = 0, bottom: y = 0 } = from?.getBoundingClientRect() ?? {};
        setOpen({ action, message, at: at ?? { x, y }, picture });
      }
    },
    [changes, messages, showNotice, onFocusLost, onSelect],
  );

  function close(isDone = true): void {
    setOpen(null);
    if (isDone && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
  }

  function renderOpen({ action, message, at, picture }: OpenAction): ReactNode {
    const { threadId } = message;
    const seq = message.seq ?? 0;
    if (action === "delete") {
      return (
        <DeleteMessageDialog
          threadId={threadId}
          messages={[message]}
          onDeleted={() => {
            setOpen(null);
            onFocusLost();
          }}
          onClose={close}
        />
      );
    }
    if (action === "forward") {
      return (
        <ForwardDialog threadId={threadId} messages={[message]} onClose={close} onForwarded={() => setOpen(null)} />
      );
    }
    if (action === "view")
      return <PictureViewer threadId={threadId} messageKey={message.key} picture={picture} onClose={close} />;
    if (action === "history") return <EditHistoryDialog threadId={threadId} seq={seq} onClose={close} />;
    return (
      <ReactionBar
        own={message.reactions?.find(({ isMine }) => isMine)?.emoji ?? null}
        at={at}
        onChoose={(emoji) => {
          changes.react(threadId, seq, emoji);
          close();
        }}
        onClose={close}
      />
    );
  }

  return { act, opened: open && renderOpen(open) };
}
