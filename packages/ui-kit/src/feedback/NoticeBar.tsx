import type { ReactElement, ReactNode } from "react";
import css from "./NoticeBar.module.css";

export interface NoticeBarProps {
  /** Accessible name. */
  label: string;
  /** Buttons with the possible answers. */
  answers: ReactNode;
  children: ReactNode;
}

/** Renders a bar that informs or asks the user, with the possible answers. */
export function NoticeBar({ label, answers, children }: NoticeBarProps): ReactElement {
  return (
    <section className={css.bar} aria-label={label}>
      <p className={css.text}>{children}</p>
      <div className={css.answers}>{answers}</div>
    </section>
  );
}
