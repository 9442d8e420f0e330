import { type ReactElement, useState } from "react";
import * as icons from "../basics/icons.ts";
import { IconButton } from "../controls/IconButton.tsx";
import css from "./PasswordField.module.css";
import { TextField, type TextFieldProps } from "./TextField.tsx";

type PasswordFieldProps = Omit<TextFieldProps, "type" | "trailing">;

/** Renders a password field with a toggle that shows or hides the password. */
export function PasswordField(props: PasswordFieldProps): ReactElement {
  const [isShown, setIsShown] = useState(false);

  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={isShown ? "text" : "password"}
      trailing={
        <IconButton
          className={css.toggle}
          icon={isShown ? icons.eyeOff : icons.eye}
          aria-label={isShown ? "Hide password" : "Show password"}
          onClick={() => setIsShown(!isShown)}
        />
      }
    />
  );
}
