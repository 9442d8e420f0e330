import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { classNames } from "../basics/classNames.ts";
import { Icon } from "../basics/Icon.tsx";
import type { IconShape } from "../basics/icons.ts";
import { nextIndex } from "../basics/nextIndex.ts";
import { useCloseFromOutside } from "../hooks/useCloseFromOutside.ts";
import { useFit } from "../hooks/useFit.ts";
import css from "./Menu.module.css";

export interface MenuItem {
  id: string;
  label: string;
  icon: IconShape;
  onSelect: () => void;
}

export interface MenuListProps {
  id?: string;
  label: string;
  entries: readonly MenuItem[];
  /** Index of the item that gets the focus first; -1 is the last one. */
  firstFocus?: number;
  /** Element around the opener, where presses leave the menu open. */
  openerRef?: RefObject<HTMLElement | null>;
  className?: string;
  /** Point in the window where the menu opens, moved as far as needed to fit. Without it, the class sets the place. */
  at?: { x: number; y: number };
  /** @param isDone whether the focus returns to the opener; false after a press or a focus elsewhere */
  onClose: (isDone: boolean) => void;
}

/** Renders the open part of a menu, which takes the focus. */
export function MenuList(props: MenuListProps): ReactElement {
  const { id, label, entries, firstFocus = 0, openerRef, className, at, onClose } = props;
  const menuRef = useRef<HTMLDivElement>(null);
  const style = useFit(menuRef, at);

  useEffect(() => {
    itemsOf(menuRef.current).at(firstFocus)?.focus({ preventScroll: true });
  }, [firstFocus]);
  // The focus scrolls nothing, because the menu may be outside the window before it fits.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the style limits the height
  useLayoutEffect(() => {
    if (firstFocus === -1 && menuRef.current) menuRef.current.scrollTop = menuRef.current.scrollHeight;
  }, [firstFocus, style]);
  useCloseFromOutside([menuRef, openerRef], () => onClose(false));

  function handleKeyDown(event: KeyboardEvent): void {
    const elements = itemsOf(menuRef.current);
    const current = elements.findIndex((element) => element.matches(":focus"));
    const target = nextIndex(event.key, current, elements.length);
    // Keys of the menu must not reach the page around it.
    if (event.key !== "Tab") event.stopPropagation();
    if (target !== null) {
      event.preventDefault();
      elements[target]?.focus();
    } else if (event.key === "Escape") {
      event.preventDefault();
      onClose(true);
    } else if (event.key === "Tab") {
      onClose(false);
    }
  }

  return (
    <div
      ref={menuRef}
      id={id}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className={classNames(css.menu, className, at && css.floating)}
      style={style}
      onKeyDown={handleKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {entries.map((entry) => (
        <button
          key={entry.id}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={css.item}
          onClick={() => {
            onClose(true);
            entry.onSelect();
          }}
        >
          <Icon icon={entry.icon} size="1.25em" />
          {entry.label}
        </button>
      ))}
    </div>
  );
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
}
