import { Button } from "@messageoh/ui-kit/controls/Button";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import type { ReactElement } from "react";

export interface DeleteMessageDialogProps {
  onConfirm: () => void;
  onClose: () => void;
}

/** Renders the confirmation before a message is deleted for both. */
export function DeleteMessageDialog({ onConfirm, onClose }: DeleteMessageDialogProps): ReactElement {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Delete message?"
      footer={
        <>
          <Button variant="secondary" data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" onClick={onConfirm}>
            Delete for everyone
          </Button>
        </>
      }
    >
      <p>Both of you will see that a message was deleted.</p>
    </Dialog>
  );
}
