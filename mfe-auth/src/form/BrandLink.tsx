import type { Navigate } from "@messageoh/contracts/frontends";
import { onPlainClick } from "@messageoh/ui-kit/controls/onPlainClick";
import type { ReactElement } from "react";
import css from "./BrandLink.module.css";

/** Renders the product's logo above the card as a link to the landing page. The SVG is inline to save a request. */
export function BrandLink({ navigate }: { navigate: Navigate }): ReactElement {
  return (
    <a className={css.brand} href="/" onClick={onPlainClick(() => navigate("/"))}>
      <svg className={css.mark} viewBox="0 0 96 96" aria-hidden="true">
        <path
          className={css.bubble}
          d="M26 8h44c13 0 22 9 22 22v24c0 13-9 22-22 22H46L24 92l2-16C13 76 4 67 4 54V30C4 17 13 8 26 8Z"
        />
        <ellipse className={css.eye} cx="34" cy="37" rx="6" ry="7" />
        <ellipse className={css.eye} cx="62" cy="37" rx="6" ry="7" />
        <path className={css.smile} d="M34 53c6 9 22 9 28 0" />
      </svg>
      Messageoh
    </a>
  );
}
