import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { rowAfterKey } from "./rowAfterKey.ts";

export interface RowFocus {
  /** To be put on the element around the rows, each of which has its key as `data-row`. */
  listRef: RefObject<HTMLDivElement | null>;
  /** Index of the one row that Tab reaches. */
  tabStop: number;
  /** Indexes of the rows that have or are about to have the focus: a virtual list keeps them in the page. */
  keptRows: number[];
  handleKeyDown: (event: KeyboardEvent) => void;
  handleFocus: (event: FocusEvent) => void;
}

export interface RowFocusOptions {
  /** The row that Tab reaches at first. */
  initialKey?: string;
  /** Brings a row of a virtual list into view. */
  scrollTo?: (index: number) => void;
}

/** A virtual list shows a row only once it knows how high it is. */
const MOST_FRAMES = 20;

/** One Tab stop for a list of rows: arrows, Home and End move between them. The focus follows its row when rows move. */
export function useRowFocus(keys: readonly string[], { initialKey, scrollTo }: RowFocusOptions = {}): RowFocus {
  const [focusedKey, setFocusedKey] = useState(initialKey);
  const [wantedKey, setWantedKey] = useState<string>();
  const listRef = useRef<HTMLDivElement>(null);
  const tabStop = focusedKey === undefined ? 0 : Math.max(0, keys.indexOf(focusedKey));
  const wanted = wantedKey === undefined ? -1 : keys.indexOf(wantedKey);

  useEffect(() => {
    if (wantedKey === undefined) return;
    return focusWhenVisible(() => listRef.current?.querySelector(`[data-row="${CSS.escape(wantedKey)}"]`));
  }, [wantedKey]);

  function handleKeyDown(event: KeyboardEvent): void {
    const key = wanted >= 0 ? wantedKey : rowKey(event.target);
    const target = key === undefined ? null : rowAfterKey(event.key, keys.indexOf(key), keys.length);
    if (target === null) return;
    event.preventDefault();
    setWantedKey(keys[target]);
    scrollTo?.(target);
  }

  function handleFocus(event: FocusEvent): void {
    const key = rowKey(event.target);
    if (key === undefined) return;
    setFocusedKey(key);
    setWantedKey(undefined);
  }

  return { listRef, tabStop, keptRows: wanted >= 0 ? [tabStop, wanted] : [tabStop], handleKeyDown, handleFocus };
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
