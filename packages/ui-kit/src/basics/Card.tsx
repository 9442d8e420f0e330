import type { ComponentProps, ReactElement } from "react";
import css from "./Card.module.css";
import { classNames } from "./classNames.ts";

type CardProps = ComponentProps<"section">;

/** Renders a raised surface as a section. The page sets its size. */
export function Card({ className, ...rest }: CardProps): ReactElement {
  return <section {...rest} className={classNames(css.card, className)} />;
}
