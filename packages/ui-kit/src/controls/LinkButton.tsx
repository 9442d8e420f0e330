import type { ComponentProps, KeyboardEvent, ReactElement } from "react";
import { classNames } from "../basics/classNames.ts";
import css from "./Button.module.css";
import type { ButtonVariant } from "./Button.tsx";

export interface LinkButtonProps extends ComponentProps<"a"> {
  href: string;
  variant?: ButtonVariant;
}

/** Renders a link that looks and behaves like a button. Pass `onClick` to navigate without loading a page. */
export function LinkButton({ variant = "primary", className, children, ...rest }: LinkButtonProps): ReactElement {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a URL that opens in a new tab, or before any script runs, needs a link
    <a onKeyDown={clickOnSpace} {...rest} role="button" className={classNames(css.button, css[variant], className)}>
      {children}
    </a>
  );
}

// Space activates a button, but not a link.
function clickOnSpace(event: KeyboardEvent<HTMLAnchorElement>): void {
  if (event.key !== " ") return;
  event.preventDefault();
  event.currentTarget.click();
}
