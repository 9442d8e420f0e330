import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
} from "react";
import { classNames } from "../basics/classNames.ts";
import * as icons from "../basics/icons.ts";
import { VisuallyHidden } from "../basics/VisuallyHidden.tsx";
import { IconButton } from "../controls/IconButton.tsx";
import css from "./Dialog.module.css";
import { useBackToClose } from "./useBackToClose.ts";

const TABBABLE = "button, a[href], input, textarea, select, [tabindex]";

export interface DialogProps {
  /** Called on a click on the close icon or beside the dialog, on Esc and on Back. */
  onClose: () => void;
  /** Accessible name, shown as the heading unless hidden. */
  title: string;
  isTitleHidden?: boolean;
  /**
   * What fills the window: a card in its middle (`fullScreen`), a page of its own with a button for Back (`page`), or a
   * dark room without margins for pictures (`stage`). By default, the dialog is smaller.
   */
  fills?: "fullScreen" | "page" | "stage";
  /** Controls beside the close icon. */
  actions?: ReactNode;
  /** Row of buttons at the bottom. */
  footer?: ReactNode;
  children?: ReactNode;
}

/**
 * Renders a modal dialog that traps the focus, and restores it when it is removed. The initial focus is on the element
 * with `data-autofocus`, by default on the close icon.
 */
export function Dialog({
  onClose,
  title,
  isTitleHidden = false,
  fills,
  actions,
  footer,
  children,
}: DialogProps): ReactElement {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // A press that starts inside, for example to select text, may end beside the dialog without closing it.
  const pressBeganBeside = useRef(false);

  useBackToClose(true, onClose);

  useLayoutEffect(() => {
    const dialog = dialogRef.current;
    const opener = document.activeElement;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);

  return (
    <dialog
      ref={dialogRef}
      className={classNames(css.dialog, fills && css[fills])}
      aria-labelledby={titleId}
      aria-modal="true"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={(event) => {
        if (event.target === event.currentTarget && !event.currentTarget.open) onClose();
      }}
      onKeyDown={keepFocusInside}
      onPointerDown={(event) => {
        pressBeganBeside.current = isBeside(event);
      }}
      onClick={(event) => {
        if (pressBeganBeside.current && isBeside(event)) onClose();
      }}
    >
      <div className={css.sheet}>
        <header className={css.header}>
          <h2 id={titleId} className={css.title}>
            {isTitleHidden ? <VisuallyHidden>{title}</VisuallyHidden> : title}
          </h2>
          {actions}
          {fills === "page" ? (
            <IconButton icon={icons.back} aria-label="Back" onClick={onClose} />
          ) : (
            <IconButton icon={icons.close} aria-label="Close" onClick={onClose} />
          )}
        </header>
        <div className={css.body}>{children}</div>
        {footer ? <footer className={css.footer}>{footer}</footer> : null}
      </div>
    </dialog>
  );
}

function isBeside(event: MouseEvent<HTMLDialogElement>): boolean {
  if (event.target !== event.currentTarget) return false;
  const { left, right, top, bottom } = event.currentTarget.getBoundingClientRect();
  return event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom;
}

// The browser makes the page behind inert, but Tab can still leave for the browser's own controls.
function keepFocusInside(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== "Tab") return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(TABBABLE)].filter(
    (element) => element.tabIndex >= 0 && !element.matches(":disabled") && element.getClientRects().length > 0,
  );
  const edge = event.shiftKey ? stops.at(0) : stops.at(-1);
  if (document.activeElement !== edge && document.activeElement !== event.currentTarget) return;
  event.preventDefault();
  (event.shiftKey ? stops.at(-1) : stops.at(0))?.focus();
}
