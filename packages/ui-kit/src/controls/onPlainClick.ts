import type { MouseEvent } from "react";

/**
 * Returns a click handler for a link: it handles a plain click and leaves others (new tab, download) to the browser.
 */
export function onPlainClick(go: () => void): (event: MouseEvent) => void {
  return (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain || event.defaultPrevented) return;
    event.preventDefault();
    go();
  };
}
