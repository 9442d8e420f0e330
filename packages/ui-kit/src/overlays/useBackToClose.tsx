import { useLayoutEffect, useRef } from "react";
import { openLayer } from "./backLayers.tsx";

/** Calls `onClose` when Back is pressed while `isOpen`, which may also become false in any other way. */
export function useBackToClose(isOpen: boolean, onClose: () => void): void {
  const latest = useRef(onClose);
  useLayoutEffect(() => {
    latest.current = onClose;
  });
  // Before the layer is painted, so that no Back can come earlier than its history entry.
  useLayoutEffect(() => (isOpen ? openLayer(() => latest.current()) : undefined), [isOpen]);
}
