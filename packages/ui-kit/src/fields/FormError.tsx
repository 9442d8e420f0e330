import type { ReactElement, ReactNode } from "react";
import { classNames } from "../basics/classNames.ts";
import { Icon } from "../basics/Icon.tsx";
import * as icons from "../basics/icons.ts";
import css from "./FormError.module.css";

export interface FormErrorProps {
  /** Error text; without one, nothing is rendered. */
  children?: ReactNode;
  id?: string;
  className?: string;
}

/** Renders an error line that screen readers announce when it appears. */
export function FormError({ children, id, className }: FormErrorProps): ReactElement | null {
  if (!children) return null;
  return (
    <div role="alert" id={id} className={classNames(css.error, className)}>
      <Icon icon={icons.alert} size="1.25em" />
      <span>{children}</span>
    </div>
  );
}
