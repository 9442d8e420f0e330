import type { ComponentProps, ReactElement } from "react";
import { classNames } from "../basics/classNames.ts";
import { Icon } from "../basics/Icon.tsx";
import type { IconShape } from "../basics/icons.ts";
import css from "./IconButton.module.css";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  icon: IconShape;
  "aria-label": string;
  tone?: "plain" | "accent";
}

/** Renders a round button with an icon. `aria-label` is its name and its tooltip. */
export function IconButton({
  icon,
  tone = "plain",
  className,
  type = "button",
  ...rest
}: IconButtonProps): ReactElement {
  return (
    <button title={rest["aria-label"]} {...rest} type={type} className={classNames(css.button, css[tone], className)}>
      <Icon icon={icon} />
    </button>
  );
}
