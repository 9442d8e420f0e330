import type { HTMLAttributes, ReactElement } from "react";
import { classNames } from "./classNames.ts";
import css from "./VisuallyHidden.module.css";

/** Renders text for screen readers only. */
export function VisuallyHidden({
  as: Element = "span",
  className,
  ...rest
}: HTMLAttributes<HTMLElement> & { as?: "span" | "h1" }): ReactElement {
  return <Element {...rest} className={classNames(css.hidden, className)} />;
}
