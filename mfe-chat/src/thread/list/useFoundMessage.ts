import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import type { Jump } from "../../state/chatState.ts";
import type { Row } from "../days/groupByDay.ts";

export const HIGHLIGHT_MS = 3000;

export interface FoundMessage {
  key: string;
  /** Of the jump: the same message again is a new one. */
  nonce: number;
}

export interface FoundMessageOptions {
  rows: readonly Row[];
  threadId: string;
  jump: Jump | null;
  /** Nonce of the last jump that was made. */
  madeJump: RefObject<number>;
  scrollTo: (index: number) => void;
}

/** Goes to the message that a search found and highlights it for a while. */
export function useFoundMessage(options: FoundMessageOptions): FoundMessage | null {
  const { rows, threadId, jump, madeJump, scrollTo } = options;
  const [found, setFound] = useState<FoundMessage | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new way to scroll is no reason to scroll
  useLayoutEffect(() => {
    if (!isJumpDue(jump, threadId, madeJump)) return;
    madeJump.current = jump.nonce;
    const index = rows.findIndex((row) => row.key === jump.key);
    // The window around it could not be loaded; a later one must not jump out of the blue.
    if (index < 0) return;
    setFound({ key: jump.key, nonce: jump.nonce });
    scrollTo(index);
  }, [jump, rows, threadId, madeJump]);

  useEffect(() => {
    if (!found) return;
    const timer = setTimeout(() => setFound(null), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [found]);

  return found;
}

/** Whether the thread still has to go where a search wants it to be. */
export function isJumpDue(jump: Jump | null, threadId: string, madeJump: RefObject<number>): jump is Jump {
  return jump !== null && jump.threadId === threadId && jump.nonce !== madeJump.current;
}
