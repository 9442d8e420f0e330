import type { ComponentProps, ReactElement } from "react";
import css from "./Card.module.css";
import { classNames } from "./classNames.tsx";

export type CardProps = ComponentProps<"section">;

/** A raised sheet of paper; its size is the page's business. */
export function Card({ className, ...rest }: CardProps): ReactElement {
  return <section {...rest} className={classNames(css.card, className)} />;
}
