import type { MouseEvent } from "react";

/** For a link: a plain click stays in the page, every other one (new tab, download) is the browser's. */
export function onPlainClick(go: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go();
  };
}
