import type { ReactElement, ReactNode } from "react";
import { classNames } from "../basics/classNames.ts";
import css from "./EmptyState.module.css";

export interface EmptyStateProps {
  /** URL of a picture. */
  art: string;
  artAlt?: string;
  title: string;
  /** Element of the title; use a heading where it names the page. */
  titleAs?: "h1" | "p";
  text?: string;
  /** Action below the text. */
  children?: ReactNode;
  className?: string;
}

/** Renders a picture, a title and a text for a view without content. */
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
      <img className={css.art} src={art} alt={artAlt} />
      <Title className={css.title}>{title}</Title>
      {text ? <p className={css.text}>{text}</p> : null}
      {children}
    </div>
  );
}
