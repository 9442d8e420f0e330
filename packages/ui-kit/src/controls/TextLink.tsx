import type { ComponentProps, ReactElement } from "react";
import { classNames } from "../basics/classNames.ts";
import { Icon } from "../basics/Icon.tsx";
import type { IconShape } from "../basics/icons.ts";
import css from "./TextLink.module.css";

export interface TextLinkProps extends ComponentProps<"a"> {
  href: string;
  icon?: IconShape;
}

/** Renders a link for running text or a footer. */
export function TextLink({ icon, className, children, ...rest }: TextLinkProps): ReactElement {
  return (
    <a {...rest} className={classNames(css.link, className)}>
      {icon ? <Icon icon={icon} size="1.25em" /> : null}
      {children}
    </a>
  );
}
