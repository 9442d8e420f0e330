import type { MouseEvent } from "react";

/** For a link: a plain click stays in the page, every other one (new tab, download) is the browser's. */
export function onPlainClick(go: () => void): (event: MouseEvent) => void {
  return (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain || event.defaultPrevented) return;
    event.preventDefault();
    go();
  };
}
