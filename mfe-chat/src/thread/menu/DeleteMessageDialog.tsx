import { Button } from "@messageoh/ui-kit/controls/Button";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import type { ReactElement } from "react";
import { canWriteIn } from "../../state/friendList.ts";
import { canDeleteForBoth } from "../../state/thread/messageRights.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { useChat, useChatState } from "../../useChat.ts";
import css from "./DeleteMessageDialog.module.css";

export interface DeleteMessageDialogProps {
  threadId: string;
  /** Stored messages of the thread. */
  messages: readonly ThreadMessage[];
  onDeleted: () => void;
  onClose: () => void;
}

/** Renders the choice of how stored messages are deleted, and deletes them. */
export function DeleteMessageDialog(props: DeleteMessageDialogProps): ReactElement {
  const { threadId, messages, onDeleted, onClose } = props;
  const { changes, showNotice } = useChat();
  const canWrite = useChatState((state) => canWriteIn(state, threadId));
  const count = messages.length;

  function deleteForBoth(): void {
    for (const { seq } of messages) if (seq !== null) changes.deleteForBoth(threadId, seq);
    onDeleted();
  }

  function setHidden(isHidden: boolean): void {
    for (const { seq } of messages) if (seq !== null) changes.hide(threadId, seq, isHidden);
  }

  function hide(): void {
    setHidden(true);
    const what = count === 1 ? "Message" : `${count} messages`;
    showNotice(threadId, `${what} deleted for you`, () => setHidden(false));
    onDeleted();
  }

  const isForBoth = canWrite && messages.every(canDeleteForBoth);
  const [them, were] = count === 1 ? ["it", "a message was"] : ["them", "messages were"];
  return (
    <Dialog
      onClose={onClose}
      title={count === 1 ? "Delete message?" : `Delete ${count} messages?`}
      footer={
        isForBoth ? (
          <div className={css.buttons}>
            <Button variant="danger" onClick={deleteForBoth}>
              Delete for everyone
            </Button>
            <Button variant="secondary" onClick={hide}>
              Delete for me
            </Button>
            <Button variant="quiet" data-autofocus onClick={onClose}>
              Cancel
            </Button>
          </div>
        ) : (
          <>
            <Button variant="secondary" data-autofocus onClick={onClose}>
              Cancel
            </Button>
            <Button variant="danger" onClick={hide}>
              Delete for me
            </Button>
          </>
        )
      }
    >
      {isForBoth ? (
        <>
          <p>Delete for everyone: both of you will see that {were} deleted.</p>
          <p>Delete for me: only you will not see {them} any more.</p>
        </>
      ) : (
        <p>Only you will not see {them} any more.</p>
      )}
    </Dialog>
  );
}
