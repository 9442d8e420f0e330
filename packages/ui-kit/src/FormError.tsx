import type { ReactElement, ReactNode } from "react";
import { classNames } from "./classNames.tsx";
import css from "./FormError.module.css";
import { Icon } from "./Icon.tsx";

export interface FormErrorProps {
  /** The text; nothing is shown while it is empty. */
  children?: ReactNode;
  id?: string;
  className?: string;
}

/** An error line that screen readers announce as soon as it appears. */
export function FormError({ children, id, className }: FormErrorProps): ReactElement | null {
  if (!children) return null;
  return (
    <div role="alert" id={id} className={classNames(css.error, className)}>
      <Icon name="alert" size="1.25em" />
      <span>{children}</span>
    </div>
  );
}
