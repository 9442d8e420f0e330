import { Button } from "@messageoh/ui-kit/controls/Button";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import type { ReactElement } from "react";
import css from "./DeleteMessageDialog.module.css";

export interface DeleteMessageDialogProps {
  /** Number of messages. */
  count?: number;
  /** Deletes them for both members; `null` if the user may not. */
  onDeleteForBoth: (() => void) | null;
  /** Hides them from the user only. */
  onHide: () => void;
  onClose: () => void;
}

/** Renders the choice of how stored messages are deleted. */
export function DeleteMessageDialog(props: DeleteMessageDialogProps): ReactElement {
  const { count = 1, onDeleteForBoth, onHide, onClose } = props;
  const [them, were] = count === 1 ? ["it", "a message was"] : ["them", "messages were"];
  return (
    <Dialog
      onClose={onClose}
      title={count === 1 ? "Delete message?" : `Delete ${count} messages?`}
      footer={
        onDeleteForBoth ? (
          <div className={css.buttons}>
            <Button variant="danger" onClick={onDeleteForBoth}>
              Delete for everyone
            </Button>
            <Button variant="secondary" onClick={onHide}>
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
            <Button variant="danger" onClick={onHide}>
              Delete for me
            </Button>
          </>
        )
      }
    >
      {onDeleteForBoth ? (
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
