import type { ComponentProps, MouseEvent, ReactElement } from "react";
import { classNames } from "../basics/classNames.ts";
import { Icon } from "../basics/Icon.tsx";
import type { IconShape } from "../basics/icons.ts";
import css from "./Button.module.css";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";

export interface ButtonProps extends ComponentProps<"button"> {
  variant?: ButtonVariant;
  /** Shows a spinner and ignores clicks; the button keeps the focus. */
  isBusy?: boolean;
  icon?: IconShape;
}

/** Renders a button with a default `type` of "button". */
export function Button({
  variant = "primary",
  isBusy = false,
  icon,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps): ReactElement {
  function handleClick(event: MouseEvent<HTMLButtonElement>): void {
    if (isBusy) {
      event.preventDefault();
      return;
    }
    onClick?.(event);
  }

  return (
    <button
      {...rest}
      type={type}
      className={classNames(css.button, css[variant], isBusy && css.busy, className)}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || rest["aria-disabled"]}
      onClick={handleClick}
    >
      {icon ? <Icon icon={icon} size="1.25em" /> : null}
      {children}
    </button>
  );
}
