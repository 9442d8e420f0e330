import type { ReactElement } from "react";
import { useFocusLost } from "../../keyboard/useFocusLost.ts";
import css from "./Notice.module.css";
import type { ShownNotice } from "./useNotice.ts";

export interface NoticeProps {
  notice: ShownNotice | null;
  /** Called when the action was taken back. */
  onUndone: () => void;
  /** Called when the button disappears with the focus. */
  onFocusLost: () => void;
}

/** Renders the result of an action over the end of the list, announced to screen readers. */
export function Notice({ notice, onUndone, onFocusLost }: NoticeProps): ReactElement {
  const { text, onUndo } = notice ?? {};
  return (
    <div role="status" className={css.place}>
      {text === undefined ? null : (
        <span className={onUndo ? `${css.notice} ${css.withUndo}` : css.notice}>
          {text}
          {onUndo ? (
            <UndoButton
              onClick={() => {
                onUndo();
                onUndone();
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
