import { Skeleton } from "@messageoh/ui-kit/feedback/Skeleton";
import type { ReactElement } from "react";
import row from "./row.module.css";

const WIDTHS = ["45%", "60%", "35%", "55%", "40%", "65%", "50%", "38%"];

/** Renders placeholders for rows, as high as the real ones. */
export function RowSkeletons({ count = WIDTHS.length }: { count?: number }): ReactElement {
  return (
    <div aria-hidden="true">
      {WIDTHS.slice(0, count).map((width) => (
        <div key={width} className={row.row}>
          <Skeleton shape="circle" />
          <span className={`${row.text} ${row.placeholder}`}>
            <Skeleton width={width} />
            <Skeleton width="80%" height="0.7em" />
          </span>
        </div>
      ))}
    </div>
  );
}
