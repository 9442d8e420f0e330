import type { UsedSpace } from "@messageoh/contracts/media";
import type { ReactElement } from "react";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";

export interface DeleteFileDialogProps {
  file: UsedSpace["largest"][number];
  onDelete: () => void;
  onCancel: () => void;
}

/** Renders the confirmation before the message of a file is deleted. */
export const DeleteFileDialog = ({ file, onDelete, onCancel }: DeleteFileDialogProps): ReactElement => (
  <ConfirmDialog title={`Delete ${file.attachment.name}?`} confirm="Delete" onConfirm={onDelete} onClose={onCancel}>
    <p>The message with this file is deleted for both of you.</p>
  </ConfirmDialog>
);
