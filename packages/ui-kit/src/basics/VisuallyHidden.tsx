import type { HTMLAttributes, ReactElement } from "react";
import css from "./VisuallyHidden.module.css";

/** Renders text for screen readers only. */
export function VisuallyHidden({
  as: Element = "span",
  ...rest
}: HTMLAttributes<HTMLElement> & { as?: "span" | "h1" }): ReactElement {
  return <Element {...rest} className={css.hidden} />;
}
