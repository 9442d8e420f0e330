import type { ReactElement } from "react";
import { TextField, type TextFieldProps } from "./TextField.tsx";

/** Renders a field for a username, with autocorrection and capitalisation switched off. */
export function UsernameField(props: Omit<TextFieldProps, "label"> & { label?: string }): ReactElement {
  return (
    <TextField
      label="Username"
      name="username"
      autoComplete="username"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
      {...props}
    />
  );
}
