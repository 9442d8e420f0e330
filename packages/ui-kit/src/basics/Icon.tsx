import type { ReactElement } from "react";
import { classNames } from "./classNames.ts";
import css from "./Icon.module.css";
import type { IconShape } from "./icons.ts";

export interface IconProps {
  icon: IconShape;
  /** Edge length as a CSS length, by default the height of a line of text. */
  size?: string;
}

/** Renders a decorative icon in the colour of the text around it. Label the control that contains it. */
export function Icon({ icon, size = "1.5em" }: IconProps): ReactElement {
  return (
    <svg
      className={classNames(css.icon, icon.isDirected && css.directed)}
      viewBox="0 0 24 24"
      style={{ width: size, height: size }}
      aria-hidden="true"
    >
      <path d={icon.path} />
    </svg>
  );
}
