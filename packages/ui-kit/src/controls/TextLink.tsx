import type { ComponentProps, ReactElement } from "react";
import { classNames } from "../basics/classNames.ts";
import { Icon, type IconName } from "../basics/Icon.tsx";
import css from "./TextLink.module.css";

export interface TextLinkProps extends ComponentProps<"a"> {
  href: string;
  icon?: IconName;
}

/** Renders a link for running text or a footer. */
export function TextLink({ icon, className, children, ...rest }: TextLinkProps): ReactElement {
  return (
    <a {...rest} className={classNames(css.link, className)}>
      {icon ? <Icon name={icon} size="1.25em" /> : null}
      {children}
    </a>
  );
}
