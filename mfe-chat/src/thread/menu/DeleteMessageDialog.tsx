import { Button } from "@messageoh/ui-kit/controls/Button";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import type { ReactElement } from "react";
import css from "./DeleteMessageDialog.module.css";

export interface DeleteMessageDialogProps {
  /** Deletes the message for both members; `null` if the user may not. */
  onDeleteForBoth: (() => void) | null;
  /** Hides the message from the user only. */
  onHide: () => void;
  onClose: () => void;
}

/** Renders the choice of how a stored message is deleted. */
export function DeleteMessageDialog({ onDeleteForBoth, onHide, onClose }: DeleteMessageDialogProps): ReactElement {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Delete message?"
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
          <p>Delete for everyone: both of you will see that a message was deleted.</p>
          <p>Delete for me: only you will not see it any more.</p>
        </>
      ) : (
        <p>Only you will not see it any more.</p>
      )}
    </Dialog>
  );
}
