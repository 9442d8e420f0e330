import * as icons from "@messageoh/ui-kit/basics/icons";
import { TextField, type TextFieldProps } from "@messageoh/ui-kit/fields/TextField";
import type { ReactElement, RefObject } from "react";

export interface SearchFieldProps extends Pick<TextFieldProps, "onKeyDown" | "trailing"> {
  inputRef: RefObject<HTMLInputElement | null>;
  /** Accessible name and placeholder. */
  label: string;
  text: string;
  onTextChange: (text: string) => void;
}

/** Renders the field of a search. */
export const SearchField = ({ inputRef, label, text, onTextChange, ...rest }: SearchFieldProps): ReactElement => (
  <TextField
    {...rest}
    ref={inputRef}
    label={label}
    isQuiet
    placeholder={label}
    icon={icons.search}
    autoComplete="off"
    autoCapitalize="none"
    autoCorrect="off"
    spellCheck={false}
    enterKeyHint="search"
    maxLength={200}
    value={text}
    onChange={(event) => onTextChange(event.target.value)}
  />
);
