import { type KeyboardEvent, type ReactElement, type ReactNode, useId, useRef, useState } from "react";
import css from "./Menu.module.css";
import { type MenuItem, MenuList } from "./MenuList.tsx";

export interface MenuProps {
  /** Accessible name of the button. */
  label: string;
  /** Content of the button. */
  button: ReactNode;
  items: readonly MenuItem[];
  align?: "start" | "end";
}

/** Renders a button that opens a menu of actions. */
export function Menu({ label, button, items, align = "start" }: MenuProps): ReactElement {
  /** Index of the item that gets the focus first; `null` while the menu is closed. */
  const [firstFocus, setFirstFocus] = useState<number | null>(null);
  const menuId = useId();
  const rootRef = useRef<HTMLDivElement>(null);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const isOpen = firstFocus !== null;

  function close(isDone: boolean): void {
    setFirstFocus(null);
    if (isDone) buttonRef.current?.focus();
  }

  function handleButtonKey(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setFirstFocus(event.key === "ArrowDown" ? 0 : -1);
  }

  return (
    <div ref={rootRef} className={css.root}>
      <button
        ref={buttonRef}
        type="button"
        className={css.button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => (isOpen ? close(true) : setFirstFocus(0))}
        onKeyDown={handleButtonKey}
      >
        {button}
      </button>
      {isOpen ? (
        <MenuList
          id={menuId}
          label={label}
          entries={items}
          firstFocus={firstFocus}
          openerRef={rootRef}
          className={css[align]}
          onClose={close}
        />
      ) : null}
    </div>
  );
}
