import { type ReactElement, type ReactNode, useEffect, useRef } from "react";

export interface ScreenProps {
  /** What the tab says. */
  title: string;
  /** False while the screen waits for its content. */
  isReady?: boolean;
  children: ReactNode;
}

/** The screen that the page was loaded with keeps the focus where the browser put it. */
let isFirstScreen = true;

/** One screen of the product. Arriving from another one, the focus goes to its heading, so that it is read out. */
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
  // A page that chose a place itself knows better.
  if (screen.contains(document.activeElement)) return;
  const target = screen.querySelector("h1") ?? screen;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
