import type { ReactElement } from "react";
import css from "./Notice.module.css";

/** Renders the result of an action over the end of the list, announced to screen readers. */
export function Notice({ text }: { text: string | null }): ReactElement {
  return (
    <div role="status" className={css.place}>
      {text === null ? null : <span className={css.notice}>{text}</span>}
    </div>
  );
}
