import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import type { ReactElement } from "react";
import css from "./row.module.css";

/** Renders that a thread is muted. */
export function MutedMark(): ReactElement {
  return (
    <span className={`${css.muted} ${css.mark}`}>
      <Icon icon={icons.bellOff} size="1em" />
      <VisuallyHidden>Muted</VisuallyHidden>
    </span>
  );
}
