import type { ComponentProps, ReactElement } from "react";
import { classNames } from "./classNames.tsx";
import css from "./VisuallyHidden.module.css";

/** Text for screen readers only. */
export function VisuallyHidden({ className, ...rest }: ComponentProps<"span">): ReactElement {
  return <span {...rest} className={classNames(css.hidden, className)} />;
}
