import type { ComponentProps, ReactElement, ReactNode } from "react";
import css from "./PictureChoice.module.css";

export interface PictureChoiceProps extends Omit<ComponentProps<"input">, "className" | "type"> {
  label: string;
  /** Decorative picture of what is chosen. */
  children: ReactNode;
}

/** Renders a radio button as a picture with its name below. */
export function PictureChoice({ label, children, ...rest }: PictureChoiceProps): ReactElement {
  return (
    <label className={css.choice}>
      <input {...rest} type="radio" className={css.input} />
      <span className={css.frame} aria-hidden="true">
        {children}
      </span>
      {label}
    </label>
  );
}
