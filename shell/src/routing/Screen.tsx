import { type ReactElement, type ReactNode, useEffect, useRef } from "react";

export interface ScreenProps {
  /** Title of the browser tab. */
  title: string;
  /** False while the screen loads its content. */
  isReady?: boolean;
  children: ReactNode;
}

/** The first screen leaves the focus where the browser put it. */
let isFirstScreen = true;

/** Renders one screen. After a change of screen it focuses the heading, so that screen readers announce it. */
export function Screen({ title, isReady = true, children }: ScreenProps): ReactElement {
  const root = useRef<HTMLDivElement>(null);

  useEffect(() => {
    document.title = title;
  }, [title]);

  useEffect(() => {
    if (!isReady) return;
    if (!isFirstScreen && root.current) moveFocusInto(root.current);
    isFirstScreen = false;
  }, [isReady]);

  return <div ref={root}>{children}</div>;
}

function moveFocusInto(screen: HTMLElement): void {
  // Keep a focus that the page set itself.
  if (screen.contains(document.activeElement)) return;
  const target = screen.querySelector("h1") ?? screen;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
