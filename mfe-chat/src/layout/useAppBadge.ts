import { useEffect } from "react";

/** Shows the number of unread messages on the icon of the installed app, where the browser supports it. */
export function useAppBadge(unreadCount: number): void {
  useEffect(() => {
    const show = () => void navigator.setAppBadge?.(unreadCount).catch(() => undefined);
    show();
    // A push may have shown a dot since.
    document.addEventListener("visibilitychange", show);
    return () => document.removeEventListener("visibilitychange", show);
  }, [unreadCount]);

  useEffect(
    () => () => {
      navigator.clearAppBadge?.().catch(() => undefined);
    },
    [],
  );
}
