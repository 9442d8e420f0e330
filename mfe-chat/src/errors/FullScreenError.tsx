import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { ErrorScreen } from "@messageoh/ui-kit/feedback/ErrorScreen";
import { useBackToClose } from "@messageoh/ui-kit/overlays/useBackToClose";
import { type ReactElement, useEffect, useLayoutEffect, useRef } from "react";
import { useChatState } from "../useChat.ts";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import css from "./FullScreenError.module.css";
import { useCover } from "./useCover.ts";

export interface FullScreenErrorProps {
  onRetry: () => void;
  /** Called on the close icon, Esc and Back, for errors that leave the page usable. */
  onClose: () => void;
}

/**
 * Renders an error over the page when its data cannot be loaded; the page below keeps its state. Retries when the
 * connection is back.
 */
export function FullScreenError({ onRetry, onClose }: FullScreenErrorProps): ReactElement {
  const connection = useChatState((state) => state.connection);
  const dialog = useRef<HTMLDialogElement>(null);
  const wasConnected = useRef(connection === "connected");
  useBackToClose(true, onClose);
  useCover();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => element?.close();
  }, []);

  useEffect(() => {
    const isConnected = connection === "connected";
    if (isConnected && !wasConnected.current) onRetry();
    wasConnected.current = isConnected;
  }, [connection, onRetry]);

  return (
    <dialog
      ref={dialog}
      className={css.cover}
      aria-label={GENERIC_ERROR}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Keys must not reach the page below.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <ConnectionBanner />
      <ErrorScreen onRetry={onRetry} onClose={onClose} />
    </dialog>
  );
}
