import type { ReactElement } from "react";
import { classNames } from "../basics/classNames.tsx";
import { VisuallyHidden } from "../basics/VisuallyHidden.tsx";
import css from "./Spinner.module.css";

export interface SpinnerProps {
  dots?: number;
  label?: string;
  /** Centres the dots in the window. */
  isFullScreen?: boolean;
}

/** Renders `dots` animated dots with a label for screen readers. */
export function Spinner({ dots = 3, label = "Loading", isFullScreen = false }: SpinnerProps): ReactElement {
  return (
    <div role="status" className={classNames(css.spinner, isFullScreen && css.fullScreen)}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: dots }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the dots are identical and keep their order
          key={index}
          className={css.dot}
          style={{ animationDelay: `${(index * 0.8) / (dots + 2)}s` }}
          aria-hidden="true"
        />
      ))}
    </div>
  );
}
