import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import type { ReactElement } from "react";
import css from "./FileName.module.css";

/**
 * Renders the name of a file on a line. Its type stays visible if the name is cut, and no character of the name moves
 * it.
 */
export function FileName({ name }: { name: string }): ReactElement {
  const dot = name.lastIndexOf(".");
  const end = dot > 0 && name.length - dot <= 8 ? dot : name.length;
  return (
    <bdi className={css.name} title={name}>
      {/* In one piece for screen readers. */}
      <VisuallyHidden>{name}</VisuallyHidden>
      <span className={css.stem} aria-hidden="true">
        {name.slice(0, end)}
      </span>
      <span aria-hidden="true">{name.slice(end)}</span>
    </bdi>
  );
}
