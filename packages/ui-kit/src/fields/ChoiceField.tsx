import type { ComponentProps, ReactElement } from "react";
import css from "./ChoiceField.module.css";

export interface ChoiceFieldProps extends Omit<ComponentProps<"input">, "className" | "type"> {
  type: "checkbox" | "radio";
  label: string;
}

/** Renders a checkbox or a radio button with its label, which is part of the control. */
export function ChoiceField({ label, ...rest }: ChoiceFieldProps): ReactElement {
  return (
    <label className={css.choice}>
      <input {...rest} className={css.input} />
      {label}
    </label>
  );
}
