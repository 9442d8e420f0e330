import * as icons from "@messageoh/ui-kit/basics/icons";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { useBackToClose } from "@messageoh/ui-kit/overlays/useBackToClose";
import { type ReactElement, useState } from "react";
import { isCommand, useShortcuts } from "../../keyboard/useShortcuts.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { copyText } from "../../ui/copyText.ts";
import { useChat, useChatState } from "../../useChat.ts";
import { DeleteMessageDialog, ForwardDialog } from "../menu/dialogs.ts";
import { copiedText } from "./copiedText.ts";
import css from "./SelectionBar.module.css";
import { SELECTED_MAX } from "./selection.ts";

export interface SelectionBarProps {
  threadId: string;
  friendName: string;
  /** The selected messages, oldest first. */
  messages: readonly ThreadMessage[];
  /** Ends the selection. */
  onClose: () => void;
  /** Called when the selected messages, one of which had the focus, are deleted. */
  onDeleted: () => void;
}

/** Renders the number of selected messages and what the user can do with them, in the place of the composer. */
export function SelectionBar(props: SelectionBarProps): ReactElement {
  const { threadId, friendName, messages, onClose, onDeleted } = props;
  const { changes, showNotice } = useChat();
  const myName = useChatState(({ me }) => me.name);
  const [dialog, setDialog] = useState<"delete" | "forward" | null>(null);
  const count = messages.length;
  const isEmpty = count === 0;
  const isStarred = !isEmpty && messages.every((message) => message.isStarred);
  const close = () => setDialog(null);

  useBackToClose(true, onClose);
  useShortcuts((event) => {
    const isCopy = isCommand(event, "c") && !isEmpty && getSelection()?.isCollapsed !== false;
    if (event.key !== "Escape" && !isCopy) return;
    event.preventDefault();
    if (isCopy) void copy();
    else onClose();
  });

  async function copy(): Promise<void> {
    const isCopied = await copyText(copiedText(messages, ({ isMine }) => (isMine ? myName : friendName)));
    const done = count === 1 ? "Text copied" : `${count} messages copied`;
    showNotice(threadId, isCopied ? done : "Could not be copied");
    if (isCopied) onClose();
  }

  function star(): void {
    for (const { seq } of messages) if (seq !== null) changes.star(threadId, seq, !isStarred);
    const what = count === 1 ? "Message" : `${count} messages`;
    showNotice(threadId, isStarred ? "Star removed" : `${what} starred`);
    onClose();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: the bar is no group of fields
    <div role="group" aria-label="Selected messages" className={css.bar}>
      <IconButton icon={icons.close} aria-label="Cancel selection" onClick={onClose} />
      <p role="status" className={css.count}>
        {count === SELECTED_MAX ? `${count} selected, the most at once` : `${count} selected`}
      </p>
      <IconButton icon={icons.copy} aria-label="Copy" disabled={isEmpty} onClick={() => void copy()} />
      <IconButton
        icon={icons.forwardMessage}
        aria-label="Forward"
        disabled={isEmpty}
        onClick={() => setDialog("forward")}
      />
      <IconButton icon={icons.star} aria-label={isStarred ? "Unstar" : "Star"} disabled={isEmpty} onClick={star} />
      <IconButton icon={icons.trash} aria-label="Delete" disabled={isEmpty} onClick={() => setDialog("delete")} />
      {dialog === "forward" ? (
        <ForwardDialog threadId={threadId} messages={messages} onClose={close} onForwarded={onClose} />
      ) : null}
      {dialog === "delete" ? (
        <DeleteMessageDialog
          threadId={threadId}
          messages={messages}
          onDeleted={() => {
            onClose();
            onDeleted();
          }}
          onClose={close}
        />
      ) : null}
    </div>
  );
}
