import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { ErrorScreen } from "@messageoh/ui-kit/ErrorScreen";
import { useBackToClose } from "@messageoh/ui-kit/useBackToClose";
import { type ReactElement, useEffect, useLayoutEffect, useRef } from "react";
import { useChatSelector } from "../view/useChatSelector.ts";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import css from "./FullScreenError.module.css";
import { useCover } from "./useCover.ts";

export interface FullScreenErrorProps {
  onRetry: () => void;
  /** The close icon, Esc and Back: the page goes on without what failed. */
  onClose: () => void;
}

/**
 * Covers the page when something it needs cannot be loaded; what was there stays as it was below. Retries by itself once
 * the connection is back.
 */
export function FullScreenError({ onRetry, onClose }: FullScreenErrorProps): ReactElement {
  const connection = useChatSelector((chat) => chat.connection);
  const dialog = useRef<HTMLDialogElement>(null);
  const wasConnected = useRef(connection === "connected");
  useBackToClose(true, onClose);
  useCover();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
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
      // What lies below has keys of its own.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <ConnectionBanner />
      <ErrorScreen onRetry={onRetry} onClose={onClose} />
    </dialog>
  );
}
