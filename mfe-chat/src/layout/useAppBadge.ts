import { useEffect } from "react";

/** Shows the number of unread messages on the icon of the installed app, where the browser supports it. */
export function useAppBadge(unreadCount: number): void {
  useEffect(() => {
    navigator.setAppBadge?.(unreadCount).catch(() => undefined);
  }, [unreadCount]);

  useEffect(
    () => () => {
      navigator.clearAppBadge?.().catch(() => undefined);
    },
    [],
  );
}
