import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type TouchEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";

/** Touch time after which the menu opens, as in Android. */
const LONG_PRESS_MS = 500;
/** Movement in px that makes a touch a scroll. */
const MOVE_PX = 10;

/** Keeps its own long press. A picture opens the menu like the message around it. */
const CONTROL = "a, button:not([data-tile]), video, audio, input";

export interface OpenMenu {
  message: ThreadMessage;
  at: { x: number; y: number };
  /** Element that gets the focus back. */
  opener: Element | null;
}

/**
 * Returns the open menu of a message, and the handlers that open it: for the list around the messages, each of which is
 * an `article` with a button that has the message's key as `data-row`.
 * @param onSelect called with a message instead of opening its menu, while the user selects messages
 */
export function useMessageMenu(
  messages: readonly ThreadMessage[],
  onSelect: ((message: ThreadMessage) => void) | null = null,
) {
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(null);
  /** Whether text of the message was selected at the press. On a Mac, a right click selects a word after it. */
  const hadSelection = useRef(false);
  /** Whether the touch that has not ended yet opened the menu. */
  const isHeld = useRef(false);
  useEffect(() => () => clearTimeout(press.current?.timer), []);

  function endPress(): void {
    clearTimeout(press.current?.timer);
    press.current = null;
  }

  function open(element: Element, at: OpenMenu["at"], opener: Element | null): void {
    const key = buttonIn(element)?.dataset.row;
    const message = messages.find((candidate) => candidate.key === key);
    if (message && onSelect) onSelect(message);
    else if (message) setMenu({ message, at, opener });
  }

  function openAtButton(button: HTMLElement): void {
    const { left, bottom } = button.getBoundingClientRect();
    const article = button.closest("article");
    if (article) open(article, { x: left, y: bottom }, button);
  }

  return {
    menu,
    close(isDone: boolean): void {
      const opener = menu?.opener;
      setMenu(null);
      if (isDone && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    },
    handlers: {
      onClick(event: MouseEvent): void {
        const button = partOf(event)?.closest<HTMLElement>("[data-row]");
        if (button && !onSelect) openAtButton(button);
      },
      onKeyDown(event: KeyboardEvent): void {
        const button = partOf(event)?.closest<HTMLElement>("[data-row]");
        // macOS sends no `contextmenu` event for these keys.
        const isMenuKey = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
        if (!button || !isMenuKey) return;
        event.preventDefault();
        openAtButton(button);
      },
      onContextMenu(event: MouseEvent): void {
        endPress();
        const target = partOf(event);
        const article = target?.closest("article");
        // The browser's own menu has the actions for links and selected text.
        if (!target || !article || !buttonIn(article) || target.closest("a, video, audio") || hadSelection.current)
          return;
        event.preventDefault();
        const button = target.closest<HTMLElement>("[data-row]");
        if (button) openAtButton(button);
        else open(article, { x: event.clientX, y: event.clientY }, document.activeElement);
      },
      onPointerDown(event: PointerEvent): void {
        endPress();
        isHeld.current = false;
        const target = partOf(event);
        const article = target?.closest("article");
        hadSelection.current = article ? hasSelection(article) : false;
        if (event.pointerType !== "touch" || !article || target?.closest(CONTROL)) return;
        const at = { x: event.clientX, y: event.clientY };
        // Safari on iOS sends no `contextmenu` event.
        const timer = setTimeout(() => {
          isHeld.current = true;
          open(article, at, document.activeElement);
        }, LONG_PRESS_MS);
        press.current = { timer, ...at };
      },
      onPointerMove({ clientX, clientY }: PointerEvent): void {
        if (press.current && Math.hypot(clientX - press.current.x, clientY - press.current.y) > MOVE_PX) endPress();
      },
      onPointerUp: endPress,
      onPointerCancel: endPress,
      onTouchEnd(event: TouchEvent): void {
        // The click that follows a touch would take the focus from the menu and close it.
        if (isHeld.current) event.preventDefault();
      },
    },
  };
}

const partOf = ({ target }: { target: EventTarget }) => (target instanceof Element ? target : null);
const buttonIn = (article: Element) => article.querySelector<HTMLElement>("[data-row]");

function hasSelection(article: Element): boolean {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return false;
  return article.contains(selection.anchorNode) || article.contains(selection.focusNode);
}
