import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { TextField } from "@messageoh/ui-kit/fields/TextField";
import type { KeyboardEvent, ReactElement, RefObject } from "react";
import { isComposing } from "../keyboard/isComposing.ts";
import css from "./SearchBox.module.css";

export interface SearchBoxProps {
  inputRef: RefObject<HTMLInputElement | null>;
  /** Accessible name and placeholder. */
  label: string;
  text: string;
  onTextChange: (text: string) => void;
  /** Called on Esc in an empty box. */
  onLeave?: () => void;
}

/** Renders a search box. Esc clears it, and leaves it if it is empty. */
export function SearchBox({ inputRef, label, text, onTextChange, onLeave }: SearchBoxProps): ReactElement {
  function handleKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Escape" || isComposing(event)) return;
    event.preventDefault();
    if (text !== "") onTextChange("");
    else onLeave?.();
  }

  return (
    <search className={css.box}>
      <TextField
        ref={inputRef}
        label={label}
        isLabelHidden
        placeholder={label}
        icon="search"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={200}
        value={text}
        onChange={(event) => onTextChange(event.target.value)}
        onKeyDown={handleKeyDown}
        trailing={
          text === "" ? null : (
            <IconButton
              className={css.clear}
              icon="close"
              aria-label="Clear"
              onClick={() => {
                onTextChange("");
                inputRef.current?.focus();
              }}
            />
          )
        }
      />
    </search>
  );
}
