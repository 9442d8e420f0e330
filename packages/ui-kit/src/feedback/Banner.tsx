import type { ReactElement, ReactNode } from "react";
import { classNames } from "../basics/classNames.ts";
import { Icon } from "../basics/Icon.tsx";
import * as icons from "../basics/icons.ts";
import css from "./Banner.module.css";

export interface BannerProps {
  tone?: "info" | "warning";
  /** Control at the end of the banner. */
  action?: ReactNode;
  /** The message; without one, the banner is empty. */
  children: ReactNode;
}

/**
 * Renders a status message across the page. Keep it mounted without a message: screen readers announce only changes
 * inside a live region. `data-takes-focus` marks it as the place for the focus when `action` disappears with it.
 */
export function Banner({ tone = "info", action, children }: BannerProps): ReactElement {
  const isShown = Boolean(children);
  return (
    <div data-takes-focus className={isShown ? classNames(css.banner, css[tone]) : undefined}>
      {isShown ? <Icon icon={tone === "warning" ? icons.alert : icons.clock} size="1.25em" /> : null}
      <div role="status" className={css.text}>
        {children}
      </div>
      {action ? <div className={css.action}>{action}</div> : null}
    </div>
  );
}
