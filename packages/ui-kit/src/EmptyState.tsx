import type { ReactElement, ReactNode } from "react";
import { classNames } from "./classNames.tsx";
import css from "./EmptyState.module.css";

export interface EmptyStateProps {
  /** The address of a picture. */
  art?: string;
  artAlt?: string;
  title: string;
  /** The element of the title; a heading where it names the page. */
  titleAs?: "h1" | "h2" | "p";
  text?: string;
  /** An action below the lines. */
  children?: ReactNode;
  className?: string;
}

/** A picture and two lines for a place that has nothing to show yet. */
export function EmptyState({
  art,
  artAlt = "",
  title,
  titleAs: Title = "p",
  text,
  children,
  className,
}: EmptyStateProps): ReactElement {
  return (
    <div className={classNames(css.empty, className)}>
      {art ? <img className={css.art} src={art} alt={artAlt} /> : null}
      <Title className={css.title}>{title}</Title>
      {text ? <p className={css.text}>{text}</p> : null}
      {children}
    </div>
  );
}
