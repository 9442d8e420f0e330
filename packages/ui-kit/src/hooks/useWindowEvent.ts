import { useEffect, useEffectEvent } from "react";

/** Calls `handle` with each event of a kind that reaches the window. */
export function useWindowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  handle: (event: WindowEventMap[Name]) => void,
): void {
  const listen = useEffectEvent(handle);
  useEffect(() => {
    window.addEventListener(name, listen);
    return () => window.removeEventListener(name, listen);
  }, [name]);
}
