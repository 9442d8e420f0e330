import { useEffect, useRef, useState } from "react";

/**
 * Returns whether something happened a short time ago, and a function that notes that it happens.
 * @param ms how long it lingers
 */
export function useLingering(ms: number): [isRecent: boolean, note: () => void] {
  const [isRecent, setIsRecent] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function note(): void {
    setIsRecent(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsRecent(false), ms);
  }

  return [isRecent, note];
}
