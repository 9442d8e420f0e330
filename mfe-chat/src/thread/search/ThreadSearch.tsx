import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { plainText } from "@messageoh/contracts/formatting";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useRef, useState } from "react";
import { isComposing } from "../../keyboard/isComposing.ts";
import { SearchField } from "../../search/SearchField.tsx";
import { useDebouncedSearch } from "../../search/useDebouncedSearch.ts";
import css from "./ThreadSearch.module.css";
import { type ThreadMatches, useThreadMatches } from "./useThreadMatches.ts";

export interface ThreadSearchProps {
  threadId: string;
  inputRef: RefObject<HTMLInputElement | null>;
  onClose: () => void;
}

/** Renders the search in one thread, which goes from match to match, starting at the newest. */
export function ThreadSearch({ threadId, inputRef, onClose }: ThreadSearchProps): ReactElement {
  const [text, setText] = useState("");
  const settled = useDebouncedSearch(text);
  const matches = useThreadMatches(threadId, text.trim() === "" ? "" : settled);
  const opener = useRef<Element>(null);

  useEffect(() => {
    opener.current = document.activeElement;
    inputRef.current?.focus();
  }, [inputRef]);

  function close(): void {
    onClose();
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
  }

  function handleKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === "Escape") close();
    else if (event.target !== inputRef.current) return;
    else if (event.key === "ArrowUp" || (event.key === "Enter" && !event.shiftKey)) matches.goToOlder();
    else if (event.key === "ArrowDown" || event.key === "Enter") matches.goToNewer();
    else return;
    event.preventDefault();
    // Esc must not close the thread.
    event.stopPropagation();
  }

  return (
    <search className={css.bar} onKeyDown={handleKeyDown}>
      <div className={css.field}>
        <SearchField inputRef={inputRef} label="Search in this thread" text={text} onTextChange={setText} />
      </div>
      <span role="status" className={css.count}>
        {countOf(matches)}
        {/* Screen readers cannot see the highlighted message. */}
        {matches.text === null ? null : <VisuallyHidden>: {plainText(matches.text)}</VisuallyHidden>}
        {matches.status === "failed" ? <VisuallyHidden>{GENERIC_ERROR}</VisuallyHidden> : null}
      </span>
      {matches.status === "failed" ? (
        <IconButton icon={icons.retry} aria-label="Retry" onClick={matches.retry} />
      ) : null}
      <IconButton
        icon={icons.arrowUp}
        aria-label="Older match"
        disabled={!matches.hasOlder}
        onClick={matches.goToOlder}
      />
      <IconButton
        icon={icons.arrowDown}
        aria-label="Newer match"
        disabled={!matches.hasNewer}
        onClick={matches.goToNewer}
      />
      <IconButton icon={icons.close} aria-label="Close search" onClick={close} />
    </search>
  );
}

function countOf({ status, at, count, isCountFinal }: ThreadMatches): string {
  if (status === "idle" || status === "failed") return "";
  if (status === "paused") return "You are offline";
  if (count === 0) return status === "loading" ? "" : "No result";
  return `${at + 1} of ${count}${isCountFinal ? "" : "+"}`;
}
