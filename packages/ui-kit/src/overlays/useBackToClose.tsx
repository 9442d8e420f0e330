import { useEffect, useRef } from "react";
import { openLayer } from "./backLayers.tsx";

/** Calls `onClose` when Back is pressed while `isOpen`, which may also become false in any other way. */
export function useBackToClose(isOpen: boolean, onClose: () => void): void {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  useEffect(() => (isOpen ? openLayer(() => latest.current()) : undefined), [isOpen]);
}
