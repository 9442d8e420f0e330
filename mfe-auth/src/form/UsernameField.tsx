import { TextField } from "@messageoh/ui-kit/fields/TextField";
import type { ComponentProps, ReactElement } from "react";

/** Renders the username field, with autocorrection and capitalisation switched off. */
export function UsernameField(props: Omit<ComponentProps<typeof TextField>, "label" | "name">): ReactElement {
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
