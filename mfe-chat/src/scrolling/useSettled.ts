import { startTransition, useEffect, useState } from "react";

/**
 * Returns false until a frame with the first render was shown, then true. Render what is not visible yet after that.
 */
export function useSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A task that begins in a frame runs after it. A virtual list needs two frames, one of them to measure its rows.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        timer = setTimeout(() => startTransition(() => setIsSettled(true)));
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isSettled;
}
