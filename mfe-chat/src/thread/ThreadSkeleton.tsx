import { Skeleton } from "@messageoh/ui-kit/feedback/Skeleton";
import type { ReactElement } from "react";
import css from "./ThreadSkeleton.module.css";

const BUBBLES = ["38%", "56%", "30%", "48%", "62%", "26%", "44%"];

/** Renders placeholders for messages. */
export function ThreadSkeleton(): ReactElement {
  return (
    <div className={css.skeleton} aria-hidden="true">
      {BUBBLES.map((width) => (
        <Skeleton key={width} shape="block" width={width} height="3rem" className={css.bubble} />
      ))}
    </div>
  );
}
