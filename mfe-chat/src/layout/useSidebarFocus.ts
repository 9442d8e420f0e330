import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { isCommand, useShortcuts } from "../keyboard/useShortcuts.ts";

export interface SidebarFocusOptions {
  inputRef: RefObject<HTMLInputElement | null>;
  /** Whether a thread is open. */
  hasThread: boolean;
  /** Whether the offer of notifications is above the list. */
  hasOffer: boolean;
  /** Whether the search box is visible. */
  isSearchShown: boolean;
  /** Shows the search box. */
  onSearchWanted: () => void;
}

/**
 * Controls the focus in the sidebar: Ctrl+K or ⌘K to the search box, arrows between box and rows, and after closing a
 * thread or the offer of notifications.
 */
export function useSidebarFocus(options: SidebarFocusOptions) {
  const { inputRef, hasThread, hasOffer, isSearchShown, onSearchWanted } = options;
  const paneRef = useRef<HTMLDivElement>(null);
  const isSearchWanted = useRef(false);
  const before = useRef({ hasThread, hasOffer });

  // Runs after every render, because any of them may mount the search box.
  useEffect(() => {
    if (!isSearchWanted.current || !isSearchShown) return;
    isSearchWanted.current = false;
    inputRef.current?.focus();
  });

  useEffect(() => {
    // The focused element of the thread or of the offer is unmounted.
    const isClosed = (!hasThread && before.current.hasThread) || (!hasOffer && before.current.hasOffer);
    if (isClosed && document.activeElement === document.body) rowToFocus(paneRef.current)?.focus();
    before.current = { hasThread, hasOffer };
  }, [hasThread, hasOffer]);

  useShortcuts((event) => {
    if (!isCommand(event, "k")) return;
    event.preventDefault();
    isSearchWanted.current = !isSearchShown;
    if (!isSearchShown) onSearchWanted();
    else inputRef.current?.focus();
  });

  function handleKeyDown(event: KeyboardEvent): void {
    const isInBox = event.target === inputRef.current;
    const target =
      isInBox && event.key === "ArrowDown"
        ? rowToFocus(paneRef.current)
        : !isInBox && (event.key === "ArrowUp" || event.key === "Escape") && isRow(event.target)
          ? inputRef.current
          : null;
    if (!target || event.defaultPrevented || event.altKey) return;
    event.preventDefault();
    target.focus();
  }

  return {
    paneRef,
    handleKeyDown,
    /** Focuses the search box as soon as it is visible. */
    focusSearch: () => {
      isSearchWanted.current = true;
    },
  };
}

const rowToFocus = (pane: HTMLElement | null) => pane?.querySelector<HTMLElement>('[data-row][tabindex="0"]');
const isRow = (target: EventTarget) => target instanceof HTMLElement && target.dataset.row !== undefined;
