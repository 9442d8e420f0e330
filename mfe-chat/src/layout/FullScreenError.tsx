import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { ErrorScreen } from "@messageoh/ui-kit/ErrorScreen";
import { type ReactElement, useLayoutEffect, useRef } from "react";
import css from "./FullScreenError.module.css";

export interface FullScreenErrorProps {
  onRetry: () => void;
  /** Esc goes back to where the failed step began. */
  onLeave: () => void;
}

/** Covers the page when something it needs cannot be loaded; what was there stays as it was below. */
export function FullScreenError({ onRetry, onLeave }: FullScreenErrorProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      className={css.cover}
      aria-label={GENERIC_ERROR}
      onCancel={(event) => {
        event.preventDefault();
        onLeave();
      }}
    >
      <ErrorScreen text={GENERIC_ERROR} onRetry={onRetry} />
    </dialog>
  );
}
