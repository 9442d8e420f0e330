import type { UsedSpace } from "@messageoh/contracts/media";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import type { ReactElement } from "react";

export interface DeleteFileDialogProps {
  file: UsedSpace["largest"][number];
  onDelete: () => void;
  onCancel: () => void;
}

/** Renders the confirmation before the message of a file is deleted. */
export const DeleteFileDialog = ({ file, onDelete, onCancel }: DeleteFileDialogProps): ReactElement => (
  <Dialog
    onClose={onCancel}
    title={`Delete ${file.attachment.name}?`}
    footer={
      <>
        <Button variant="secondary" data-autofocus onClick={onCancel}>
          Cancel
        </Button>
        <Button variant="danger" onClick={onDelete}>
          Delete
        </Button>
      </>
    }
  >
    <p>The message with this file is deleted for both of you.</p>
  </Dialog>
);
