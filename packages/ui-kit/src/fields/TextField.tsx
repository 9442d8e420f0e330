import { type ComponentProps, type ReactElement, type ReactNode, useId } from "react";
import { classNames } from "../basics/classNames.ts";
import { Icon } from "../basics/Icon.tsx";
import type { IconShape } from "../basics/icons.ts";
import { VisuallyHidden } from "../basics/VisuallyHidden.tsx";
import css from "./TextField.module.css";

export interface TextFieldProps extends Omit<ComponentProps<"input">, "id"> {
  label: string;
  /** Error text below the field, which it describes; marks the field as invalid. */
  error?: string | null;
  /** Marks an empty required field as invalid without an error text. */
  isMissing?: boolean;
  /** A filled field without a border and a visible label, for searches. */
  isQuiet?: boolean;
  icon?: IconShape;
  /** Control at the end of the field, inside its border. */
  trailing?: ReactNode;
}

/** Renders an input with a label. `className` styles the root element. */
export function TextField({
  label,
  error,
  isMissing = false,
  isQuiet = false,
  icon,
  trailing,
  className,
  ...rest
}: TextFieldProps): ReactElement {
  const inputId = useId();
  const errorId = `${inputId}-error`;
  const isInvalid = isMissing || Boolean(error);

  return (
    <div className={classNames(css.field, className)}>
      <label htmlFor={inputId} className={css.label}>
        {isQuiet ? <VisuallyHidden>{label}</VisuallyHidden> : label}
      </label>
      <div className={classNames(css.box, isInvalid && css.invalid, isQuiet && css.quiet)}>
        {icon ? <Icon icon={icon} size="1.25em" /> : null}
        <input
          dir="auto"
          {...rest}
          id={inputId}
          className={css.input}
          aria-invalid={isInvalid || undefined}
          aria-describedby={classNames(rest["aria-describedby"], error && errorId) || undefined}
        />
        {trailing}
      </div>
      {/* The live region stays mounted so that a later error is announced. */}
      <p id={errorId} className={css.error} aria-live="polite">
        {error}
      </p>
    </div>
  );
}
