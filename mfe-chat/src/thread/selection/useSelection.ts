import { useCallback, useState } from "react";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { type Selection, withChosen } from "./selection.ts";

/** Selects messages, or leaves them out. */
export type Choose = (seqs: readonly number[], isChosen: boolean) => void;

/** Returns the user's selection in a thread, or `null`, and the functions that begin, change and end it. */
export function useSelection() {
  const [selection, setSelection] = useState<Selection | null>(null);
  const begin = useCallback(
    ({ key, seq }: ThreadMessage) => setSelection({ from: key, seqs: new Set(seq === null ? [] : [seq]) }),
    [],
  );
  const choose: Choose = useCallback(
    (seqs, isChosen) => setSelection((current) => current && withChosen(current, seqs, isChosen)),
    [],
  );
  const end = useCallback(() => setSelection(null), []);
  return { selection, begin, choose, end };
}
