import { useEffect, useRef } from "react";

/** The tab's title as long as the page is there, with the number of unread messages before it. */
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
