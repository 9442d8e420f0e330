import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { classNames } from "../basics/classNames.tsx";
import { Icon, type IconName } from "../basics/Icon.tsx";
import { nextIndex } from "../basics/nextIndex.tsx";
import css from "./Menu.module.css";

export interface MenuItem {
  id: string;
  label: string;
  icon?: IconName;
  onSelect: () => void;
}

export interface MenuProps {
  /** Accessible name of the button. */
  label: string;
  /** Content of the button. */
  button: ReactNode;
  items: readonly MenuItem[];
  align?: "start" | "end";
  className?: string;
}

/** Renders a button that opens a menu of actions. */
export function Menu({ label, button, items, align = "start", className }: MenuProps): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  const menuId = useId();
  const rootRef = useRef<HTMLDivElement>(null);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const menuRef = useRef<HTMLDivElement>(null);
  const firstFocus = useRef(0);

  useEffect(() => {
    if (!isOpen) return;
    itemsOf(menuRef.current).at(firstFocus.current)?.focus();
    function closeFromOutside(event: Event): void {
      if (event.target instanceof Node && !rootRef.current?.contains(event.target)) setIsOpen(false);
    }
    document.addEventListener("pointerdown", closeFromOutside);
    document.addEventListener("focusin", closeFromOutside);
    return () => {
      document.removeEventListener("pointerdown", closeFromOutside);
      document.removeEventListener("focusin", closeFromOutside);
    };
  }, [isOpen]);

  function open(focusIndex: number): void {
    firstFocus.current = focusIndex;
    setIsOpen(true);
  }

  function close(): void {
    setIsOpen(false);
    buttonRef.current?.focus();
  }

  function handleButtonKey(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    open(event.key === "ArrowDown" ? 0 : -1);
  }

  function handleMenuKey(event: KeyboardEvent): void {
    const elements = itemsOf(menuRef.current);
    const current = elements.findIndex((element) => element.matches(":focus"));
    const target = nextIndex(event.key, current, elements.length);
    if (target !== null) {
      event.preventDefault();
      elements[target]?.focus();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else if (event.key === "Tab") {
      setIsOpen(false);
    }
  }

  return (
    <div ref={rootRef} className={classNames(css.root, className)}>
      <button
        ref={buttonRef}
        type="button"
        className={css.button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => (isOpen ? close() : open(0))}
        onKeyDown={handleButtonKey}
      >
        {button}
      </button>
      {isOpen ? (
        <div
          ref={menuRef}
          id={menuId}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className={classNames(css.menu, css[align])}
          onKeyDown={handleMenuKey}
        >
          {items.map((item) => (
            <button
              key={item.id}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={css.item}
              onClick={() => {
                close();
                item.onSelect();
              }}
            >
              {item.icon ? <Icon name={item.icon} size="1.25em" /> : null}
              {item.label}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
}
