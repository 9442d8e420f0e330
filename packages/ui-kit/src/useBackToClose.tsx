import { useEffect, useRef } from "react";
import { openLayer } from "./backLayers.tsx";

/** Lets the browser's Back close what is open, whatever else may close it. */
export function useBackToClose(isOpen: boolean, onClose: () => void): void {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  useEffect(() => (isOpen ? openLayer(() => latest.current()) : undefined), [isOpen]);
}
