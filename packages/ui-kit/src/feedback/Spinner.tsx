import type { ReactElement } from "react";
import { VisuallyHidden } from "../basics/VisuallyHidden.tsx";
import css from "./Spinner.module.css";

export interface SpinnerProps {
  dots?: number;
  label?: string;
}

/** Renders `dots` animated dots with a label for screen readers. */
export function Spinner({ dots = 3, label = "Loading" }: SpinnerProps): ReactElement {
  return (
    <div role="status" className={css.spinner}>
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
