import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { ErrorScreen } from "@messageoh/ui-kit/ErrorScreen";
import { type ReactElement, useLayoutEffect, useRef } from "react";
import css from "./FullScreenError.module.css";

export interface FullScreenErrorProps {
  text?: string;
  onRetry: () => void;
  /** Esc goes back to where the failed step began. */
  onLeave: () => void;
}

/** Covers the page when something it needs cannot be loaded; what was there stays as it was below. */
export function FullScreenError({ text = GENERIC_ERROR, onRetry, onLeave }: FullScreenErrorProps): ReactElement {
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
      aria-label={text}
      onCancel={(event) => {
        event.preventDefault();
        onLeave();
      }}
    >
      <ErrorScreen text={text} onRetry={onRetry} />
    </dialog>
  );
}
