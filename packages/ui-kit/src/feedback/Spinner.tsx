import type { ReactElement } from "react";
import { VisuallyHidden } from "../basics/VisuallyHidden.tsx";
import css from "./Spinner.module.css";

/** Delays of the dots, in seconds. */
const DELAYS = [0, 0.16, 0.32];

/** Renders animated dots with a label for screen readers. */
export function Spinner({ label = "Loading" }: { label?: string }): ReactElement {
  return (
    <div role="status" className={css.spinner}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {DELAYS.map((delay) => (
        <span key={delay} className={css.dot} style={{ animationDelay: `${delay}s` }} aria-hidden="true" />
      ))}
    </div>
  );
}
