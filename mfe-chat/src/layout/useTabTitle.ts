import { useEffect, useRef } from "react";

const TITLE = "Messageoh";

/** Sets the title of the tab, prefixed with the number of unread messages. */
export function useTabTitle(unreadCount: number): void {
  const titleBefore = useRef("");

  useEffect(() => {
    titleBefore.current = document.title;
    return () => {
      document.title = titleBefore.current;
    };
  }, []);

  useEffect(() => {
    document.title = unreadCount > 0 ? `(${unreadCount}) ${TITLE}` : TITLE;
  }, [unreadCount]);
}
