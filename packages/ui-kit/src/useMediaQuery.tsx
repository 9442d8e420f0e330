import { useCallback, useSyncExternalStore } from "react";

/** From here up the list and the thread stand side by side. */
export const DESKTOP_QUERY = "(min-width: 768px)";

/** Whether the media query holds, kept up to date. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (notify: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", notify);
      return () => list.removeEventListener("change", notify);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
