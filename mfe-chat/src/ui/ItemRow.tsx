import { Icon } from "@messageoh/ui-kit/basics/Icon";
import type { IconShape } from "@messageoh/ui-kit/basics/icons";
import type { ReactElement, ReactNode } from "react";
import css from "./ItemRow.module.css";

export interface ItemRowProps {
  /** An icon, which gets a square ground, or a picture. */
  picture: IconShape | ReactElement;
  name: ReactNode;
  /** Line below the name. */
  about: ReactNode;
  /** Called on a press on the row, beside its end. */
  onOpen?: () => void;
  /** Address of a web page that the row leads to instead. */
  href?: string;
  /** Tooltip: what a press does. */
  title?: string;
  /** Control at the end. */
  end?: ReactNode;
}

/** Renders a file, a link or the like: a picture, a name and a line below it, with a control at the end. */
export function ItemRow({ picture, name, about, onOpen, href, title, end }: ItemRowProps): ReactElement {
  const content = (
    <>
      {"path" in picture ? (
        <span className={css.icon}>
          <Icon icon={picture} />
        </span>
      ) : (
        picture
      )}
      <span className={css.text}>
        <span className={css.name}>{name}</span>
        <span className={css.about}>{about}</span>
      </span>
    </>
  );
  return (
    <div className={css.row}>
      {href !== undefined ? (
        <a className={css.main} href={href} title={title} target="_blank" rel="noopener noreferrer">
          {content}
        </a>
      ) : onOpen ? (
        <button type="button" className={css.main} title={title} onClick={onOpen}>
          {content}
        </button>
      ) : (
        <span className={css.main}>{content}</span>
      )}
      {end}
    </div>
  );
}
