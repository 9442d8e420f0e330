import { useCallback, useEffect } from "react";
import { useMomentary } from "../../time/useMomentary.ts";
import { useChatState } from "../../useChat.ts";

/** Result of an action, with what takes the action back. */
export interface ShownNotice {
  text: string;
  onUndo?: () => void;
}

export type ShowNotice = (text: string, onUndo?: () => void) => void;

/** How long the result of an action is shown: a sentence as long as it takes to read it. */
const NOTICE_MS = 2500;
const CHARACTER_MS = 60;
/** How long an action can be taken back. */
const UNDO_MS = 5000;

/** Returns the result of an action in a thread to show for a moment, and the functions that show and remove it. */
export function useNotice(threadId: string) {
  const [notice, show] = useMomentary<ShownNotice | null>(NOTICE_MS);
  const result = useChatState(({ notices }) => notices.get(threadId));

  const showNotice: ShowNotice = useCallback(
    (text, onUndo) =>
      onUndo ? show({ text, onUndo }, UNDO_MS) : show({ text }, Math.max(NOTICE_MS, CHARACTER_MS * text.length)),
    [show],
  );
  const removeNotice = useCallback(() => show(null), [show]);

  useEffect(() => {
    if (result) showNotice(result.text);
  }, [result, showNotice]);

  return { notice, showNotice, removeNotice };
}
