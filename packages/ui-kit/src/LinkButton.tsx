import type { ComponentProps, ReactElement } from "react";
import css from "./Button.module.css";
import type { ButtonVariant } from "./Button.tsx";
import { classNames } from "./classNames.tsx";
import { Icon, type IconName } from "./Icon.tsx";

export interface LinkButtonProps extends ComponentProps<"a"> {
  href: string;
  variant?: ButtonVariant;
  isFullWidth?: boolean;
  icon?: IconName;
}

/** A link that looks like a button; give it `onClick` to route without loading a page. */
export function LinkButton({
  variant = "primary",
  isFullWidth = false,
  icon,
  className,
  children,
  ...rest
}: LinkButtonProps): ReactElement {
  return (
    <a {...rest} className={classNames(css.button, css[variant], isFullWidth && css.fullWidth, className)}>
      {icon ? <Icon name={icon} size="1.25em" /> : null}
      {children}
    </a>
  );
}
