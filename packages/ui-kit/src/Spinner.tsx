import type { ReactElement } from "react";
import { classNames } from "./classNames.tsx";
import css from "./Spinner.module.css";
import { VisuallyHidden } from "./VisuallyHidden.tsx";

export interface SpinnerProps {
  dots?: number;
  label?: string;
  /** Centres the dots in the whole window. */
  isFullScreen?: boolean;
}

/** Dots that hop one after the other while something loads. */
export function Spinner({ dots = 3, label = "Loading", isFullScreen = false }: SpinnerProps): ReactElement {
  return (
    <div role="status" className={classNames(css.spinner, isFullScreen && css.fullScreen)}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: dots }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the dots are alike and never reorder
          key={index}
          className={css.dot}
          style={{ animationDelay: `${(index * 0.8) / (dots + 2)}s` }}
          aria-hidden="true"
        />
      ))}
    </div>
  );
}
