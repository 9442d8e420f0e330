import { type RefObject, useLayoutEffect } from "react";
import type { Jump } from "../../state/chatState.ts";
import { useMomentary } from "../../time/useMomentary.ts";
import type { Row } from "../days/groupByDay.ts";

const HIGHLIGHT_MS = 3000;

export interface FoundMessageOptions {
  rows: readonly Row[];
  threadId: string;
  jump: Jump | null;
  /** Nonce of the last completed jump. */
  madeJump: RefObject<number>;
  scrollTo: (index: number) => void;
}

/** Scrolls to the message that a search found and highlights it for some time. */
export function useFoundMessage(options: FoundMessageOptions): Jump | null {
  const { rows, threadId, jump, madeJump, scrollTo } = options;
  const [found, showFound] = useMomentary<Jump>(HIGHLIGHT_MS);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `scrollTo` changes with every render and must not scroll
  useLayoutEffect(() => {
    if (!isJumpDue(jump, threadId, madeJump)) return;
    madeJump.current = jump.nonce;
    const index = rows.findIndex((row) => row.key === jump.key);
    // The window around the message could not be loaded; do not jump when it is loaded later.
    if (index < 0) return;
    showFound(jump);
    scrollTo(index);
  }, [jump, rows, threadId, madeJump]);

  return found;
}

/** Returns whether a jump to this thread is still to be made. */
export function isJumpDue(jump: Jump | null, threadId: string, madeJump: RefObject<number>): jump is Jump {
  return jump !== null && jump.threadId === threadId && jump.nonce !== madeJump.current;
}
