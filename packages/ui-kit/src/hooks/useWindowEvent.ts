import { useEffect, useEffectEvent } from "react";

/**
 * Calls `handle` with each event of a kind that reaches the window.
 * @param isFirst whether it is called before all other handlers, and can keep the event from them
 */
export function useWindowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  handle: (event: WindowEventMap[Name]) => void,
  isFirst = false,
): void {
  const listen = useEffectEvent(handle);
  useEffect(() => {
    window.addEventListener(name, listen, isFirst);
    return () => window.removeEventListener(name, listen, isFirst);
  }, [name, isFirst]);
}
