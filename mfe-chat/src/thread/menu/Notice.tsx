import { type ReactElement, useEffect } from "react";
import { useFocusLost } from "../../keyboard/useFocusLost.ts";
import { useMomentary } from "../../time/useMomentary.ts";
import { useChatState } from "../../useChat.ts";
import css from "./Notice.module.css";

/** How long the result of an action is shown: a sentence as long as it takes to read it. */
const NOTICE_MS = 2500;
const CHARACTER_MS = 60;
/** How long an action can be taken back. */
const UNDO_MS = 5000;

export interface NoticeProps {
  threadId: string;
  /** Called when the button disappears with the focus. */
  onFocusLost: () => void;
}

/** Renders the result of an action for a moment over the end of the list, announced to screen readers. */
export function Notice({ threadId, onFocusLost }: NoticeProps): ReactElement {
  const newest = useChatState(({ notices }) => notices.get(threadId));
  const [notice, show] = useMomentary<typeof newest>(NOTICE_MS);
  const { text, onUndo } = notice ?? {};

  useEffect(() => {
    if (newest) show(newest, newest.onUndo ? UNDO_MS : Math.max(NOTICE_MS, CHARACTER_MS * newest.text.length));
  }, [newest, show]);

  return (
    <div role="status" className={css.place}>
      {text === undefined ? null : (
        <span className={onUndo ? `${css.notice} ${css.withUndo}` : css.notice}>
          {text}
          {onUndo ? (
            <UndoButton
              onClick={() => {
                onUndo();
                show(undefined);
              }}
              onFocusLost={onFocusLost}
            />
          ) : null}
        </span>
      )}
    </div>
  );
}

function UndoButton({ onClick, onFocusLost }: { onClick: () => void; onFocusLost: () => void }): ReactElement {
  return (
    <button type="button" ref={useFocusLost(onFocusLost)} className={css.undo} onClick={onClick}>
      Undo
    </button>
  );
}
