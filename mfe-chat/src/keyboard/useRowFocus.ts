import { nextIndex } from "@messageoh/ui-kit/basics/nextIndex";
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";

export interface RowFocusOptions {
  /** Key of the row that Tab reaches initially. */
  initialKey?: string;
  /** Without a focused row, Tab reaches the last one instead of the first. */
  isLastFirst?: boolean;
  /** Scrolls a row of a virtual list into view. */
  scrollTo?: (index: number) => void;
  /** Called when the focus moves from one row to another with Shift. */
  onExtend?: (from: number, to: number) => void;
}

/** A virtual list shows a row only after it has measured it, so focusing it is retried for this many frames. */
const MOST_FRAMES = 20;

/** Makes a list of rows one Tab stop: arrows, Home and End move the focus, which follows its row when rows move. */
export function useRowFocus(
  keys: readonly string[],
  { initialKey, isLastFirst = false, scrollTo, onExtend }: RowFocusOptions = {},
) {
  const [focusedKey, setFocusedKey] = useState(initialKey);
  const [wantedKey, setWantedKey] = useState<string>();
  const listRef = useRef<HTMLDivElement>(null);
  const focused = focusedKey === undefined ? -1 : keys.indexOf(focusedKey);
  const tabStop = focused >= 0 ? focused : isLastFirst ? Math.max(0, keys.length - 1) : 0;
  const wanted = wantedKey === undefined ? -1 : keys.indexOf(wantedKey);

  useEffect(() => {
    if (wantedKey === undefined) return;
    return focusWhenVisible(() => listRef.current?.querySelector(`[data-row="${CSS.escape(wantedKey)}"]`));
  }, [wantedKey]);

  function handleKeyDown(event: KeyboardEvent): void {
    const key = wanted >= 0 ? wantedKey : rowKey(event.target);
    const at = key === undefined ? -1 : keys.indexOf(key);
    const isSideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
    const target = key === undefined || isSideways ? null : nextIndex(event.key, at, keys.length, false);
    // With Alt, the arrows open the next and the previous thread.
    if (target === null || target === at || event.altKey) return;
    event.preventDefault();
    setWantedKey(keys[target]);
    scrollTo?.(target);
    if (event.shiftKey) onExtend?.(at, target);
  }

  function handleFocus(event: FocusEvent): void {
    const key = rowKey(event.target);
    if (key === undefined) return;
    setFocusedKey(key);
    setWantedKey(undefined);
  }

  return {
    /** Ref of the element around the rows; each row has its key as `data-row`. */
    listRef,
    /** Index of the only row that Tab reaches. */
    tabStop,
    /** Indexes of the rows that have or will get the focus; a virtual list keeps them mounted. */
    keptRows: wanted >= 0 ? [tabStop, wanted] : [tabStop],
    handleKeyDown,
    handleFocus,
  };
}

function focusWhenVisible(find: () => HTMLElement | null | undefined): () => void {
  let frame = 0;
  function attempt(left: number): void {
    const element = find();
    element?.focus();
    if (left > 0 && document.activeElement !== element) frame = requestAnimationFrame(() => attempt(left - 1));
  }
  attempt(MOST_FRAMES);
  return () => cancelAnimationFrame(frame);
}

function rowKey(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>("[data-row]")?.dataset.row : undefined;
}
