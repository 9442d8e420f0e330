import { Skeleton } from "@messageoh/ui-kit/feedback/Skeleton";
import type { ReactElement } from "react";
import header from "./ThreadHeader.module.css";
import css from "./ThreadPane.module.css";
import { ThreadSkeleton } from "./ThreadSkeleton.tsx";

/** Renders a placeholder for a thread whose friend is not loaded yet. */
export function LoadingThread(): ReactElement {
  return (
    <div className={css.pane} aria-busy="true">
      <div className={header.header}>
        <Skeleton shape="circle" />
        <Skeleton width="8rem" height="1.25rem" />
      </div>
      <ThreadSkeleton />
    </div>
  );
}
