import type { ComponentProps, MouseEvent, ReactElement } from "react";
import { classNames } from "../basics/classNames.ts";
import { Icon } from "../basics/Icon.tsx";
import type { IconShape } from "../basics/icons.ts";
import css from "./IconButton.module.css";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  icon: IconShape;
  "aria-label": string;
  tone?: "plain" | "accent";
  /** Ignores clicks. Unlike the attribute of HTML, it keeps the focus on the button. */
  disabled?: boolean;
}

/** Renders a round button with an icon. `aria-label` is its name and its tooltip. */
export function IconButton({
  icon,
  tone = "plain",
  className,
  type = "button",
  disabled = false,
  onClick,
  ...rest
}: IconButtonProps): ReactElement {
  function handleClick(event: MouseEvent<HTMLButtonElement>): void {
    if (disabled) event.preventDefault();
    else onClick?.(event);
  }

  return (
    <button
      title={rest["aria-label"]}
      {...rest}
      type={type}
      className={classNames(css.button, css[tone], className)}
      aria-disabled={disabled || undefined}
      onClick={handleClick}
    >
      <Icon icon={icon} />
    </button>
  );
}
