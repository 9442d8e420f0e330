import type { ReactElement, ReactNode } from "react";
import { classNames } from "../basics/classNames.ts";
import { Icon } from "../basics/Icon.tsx";
import * as icons from "../basics/icons.ts";
import css from "./Banner.module.css";

export interface BannerProps {
  tone?: "info" | "warning";
  /** Control at the end of the banner. */
  action?: ReactNode;
  children: ReactNode;
}

/** Renders a status message across the page, announced to screen readers. */
export function Banner({ tone = "info", action, children }: BannerProps): ReactElement {
  return (
    <div className={classNames(css.banner, css[tone])}>
      <Icon icon={tone === "warning" ? icons.alert : icons.clock} size="1.25em" />
      <div role="status" className={css.text}>
        {children}
      </div>
      {action ? <div className={css.action}>{action}</div> : null}
    </div>
  );
}
