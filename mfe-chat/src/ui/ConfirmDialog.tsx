import { Button } from "@messageoh/ui-kit/controls/Button";
import { Dialog, type DialogProps } from "@messageoh/ui-kit/overlays/Dialog";
import type { ReactElement } from "react";

export interface ConfirmDialogProps extends Pick<DialogProps, "title" | "onClose" | "children"> {
  /** Labels of the buttons. */
  confirm: string;
  cancel?: string;
  /** Gives the initial focus to the button that confirms. Otherwise that one is red, and the other has the focus. */
  isHarmless?: boolean;
  isBusy?: boolean;
  onConfirm: () => void;
}

/** Renders a question before an action. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactElement {
  const { confirm, cancel = "Cancel", isHarmless = false, isBusy = false, onConfirm, ...dialog } = props;
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <Button variant="secondary" data-autofocus={!isHarmless || undefined} onClick={dialog.onClose}>
            {cancel}
          </Button>
          <Button
            variant={isHarmless ? "primary" : "danger"}
            data-autofocus={isHarmless || undefined}
            isBusy={isBusy}
            onClick={onConfirm}
          >
            {confirm}
          </Button>
        </>
      }
    />
  );
}
