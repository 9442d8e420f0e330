import { type ReactElement, useCallback, useEffect, useState } from "react";
import css from "./Notice.module.css";

const SHOWN_MS = 2500;

/** Returns a text to show for a moment, and the function that sets it. */
export function useNotice(): [string, (text: string) => void] {
  const [notice, setNotice] = useState({ text: "" });
  useEffect(() => {
    if (notice.text === "") return;
    const timer = setTimeout(() => setNotice({ text: "" }), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  // A new object, so that the same text again is shown for the full time.
  return [notice.text, useCallback((text) => setNotice({ text }), [])];
}

/** Renders the result of an action over the end of the list, announced to screen readers. */
export function Notice({ text }: { text: string }): ReactElement {
  return (
    <div role="status" className={css.place}>
      {text === "" ? null : <span className={css.notice}>{text}</span>}
    </div>
  );
}
