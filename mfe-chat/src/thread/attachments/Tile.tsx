import type { ComponentProps, ReactElement, ReactNode } from "react";
import css from "./Tile.module.css";

export interface TileProps {
  /** Accessible name. */
  label: string;
  tabIndex?: 0 | -1;
  className?: string;
  onOpen: (opener: Element) => void;
  /** The picture, and what is over it. */
  children: ReactNode;
}

/** Renders a button that a picture fills. */
export const Tile = ({ label, tabIndex, className, onOpen, children }: TileProps): ReactElement => (
  <button
    type="button"
    className={className ? `${css.tile} ${className}` : css.tile}
    data-tile
    aria-label={label}
    tabIndex={tabIndex}
    onClick={(event) => onOpen(event.currentTarget)}
  >
    {children}
  </button>
);

/** Renders the picture of a tile, which is loaded when it is near the view. */
export const TilePicture = (props: Omit<ComponentProps<"img">, "alt" | "className">): ReactElement => (
  <img {...props} className={css.fill} alt="" loading="lazy" decoding="async" draggable={false} />
);
