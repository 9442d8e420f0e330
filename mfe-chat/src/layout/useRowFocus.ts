import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { rowAfterKey } from "./rowAfterKey.ts";

export interface RowFocus {
  /** To be put on the element around the rows, each of which has its key as `data-row`. */
  listRef: RefObject<HTMLDivElement | null>;
  /** Index of the one row that Tab reaches; a virtual list keeps it mounted. */
  tabStop: number;
  handleKeyDown: (event: KeyboardEvent) => void;
  handleFocus: (event: FocusEvent) => void;
}

/** One Tab stop for a list of rows: arrows, Home and End move between them. The focus follows its row when rows move. */
export function useRowFocus(keys: readonly string[], initialKey?: string): RowFocus {
  const [focusedKey, setFocusedKey] = useState(initialKey);
  const listRef = useRef<HTMLDivElement>(null);
  const isFocusWanted = useRef(false);
  const tabStop = Math.max(0, focusedKey === undefined ? 0 : keys.indexOf(focusedKey));

  useEffect(() => {
    if (!isFocusWanted.current || focusedKey === undefined) return;
    isFocusWanted.current = false;
    listRef.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(focusedKey)}"]`)?.focus();
  }, [focusedKey]);

  function handleKeyDown(event: KeyboardEvent): void {
    const key = rowKey(event.target);
    const target = key === undefined ? null : rowAfterKey(event.key, keys.indexOf(key), keys.length);
    if (target === null) return;
    event.preventDefault();
    isFocusWanted.current = true;
    setFocusedKey(keys[target]);
  }

  function handleFocus(event: FocusEvent): void {
    const key = rowKey(event.target);
    if (key !== undefined) setFocusedKey(key);
  }

  return { listRef, tabStop, handleKeyDown, handleFocus };
}

function rowKey(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>("[data-row]")?.dataset.row : undefined;
}
