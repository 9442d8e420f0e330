import type { ReactElement } from "react";
import { classNames } from "../basics/classNames.ts";
import css from "./Skeleton.module.css";

export interface SkeletonProps {
  shape?: "line" | "circle" | "block";
  /** Any CSS length; a line fills its container by default. */
  width?: string;
  height?: string;
  className?: string;
}

/** Renders a decorative placeholder for content that is loading. */
export function Skeleton({ shape = "line", width, height, className }: SkeletonProps): ReactElement {
  return (
    <span aria-hidden="true" className={classNames(css.skeleton, css[shape], className)} style={{ width, height }} />
  );
}
