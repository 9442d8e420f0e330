import * as icons from "@messageoh/ui-kit/basics/icons";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import type { KeyboardEvent, ReactElement, RefObject } from "react";
import { isComposing } from "../keyboard/isComposing.ts";
import css from "./SearchBox.module.css";
import { SearchField } from "./SearchField.tsx";

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
      <SearchField
        inputRef={inputRef}
        label={label}
        text={text}
        onTextChange={onTextChange}
        onKeyDown={handleKeyDown}
        trailing={
          text === "" ? null : (
            <IconButton
              className={css.clear}
              icon={icons.close}
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
