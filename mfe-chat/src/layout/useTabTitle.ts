import { useEffect, useRef } from "react";

/** Sets the title of the tab, prefixed with the number of unread messages. */
export function useTabTitle(title: string, unreadCount: number): void {
  const titleBefore = useRef("");

  useEffect(() => {
    titleBefore.current = document.title;
    return () => {
      document.title = titleBefore.current;
    };
  }, []);

  useEffect(() => {
    document.title = unreadCount > 0 ? `(${unreadCount}) ${title}` : title;
  }, [title, unreadCount]);
}
