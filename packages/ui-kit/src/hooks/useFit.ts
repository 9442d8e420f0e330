import { type CSSProperties, type RefObject, useLayoutEffect, useState } from "react";

/** Space between the element and the edge of the window in px. */
const EDGE_PX = 8;

/**
 * Returns the style that places an element at a point, or further up or left if it does not fit into the window there.
 * Without a point, the element scrolls if it does not fit.
 * @param content fits the element again when it changes
 */
export function useFit(
  ref: RefObject<HTMLElement | null>,
  at: { x: number; y: number } | undefined,
  content?: unknown,
): CSSProperties {
  const [style, setStyle] = useState<CSSProperties>({});
  const x = at?.x;
  const y = at?.y;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content has another size
  useLayoutEffect(() => {
    function fit(): void {
      if (!ref.current) return;
      if (x === undefined || y === undefined) {
        const { top } = ref.current.getBoundingClientRect();
        setStyle({ maxHeight: window.innerHeight - top - EDGE_PX });
        return;
      }
      const { offsetWidth, offsetHeight } = ref.current;
      const left = Math.max(EDGE_PX, Math.min(x, window.innerWidth - offsetWidth - EDGE_PX));
      const isAbove = y + offsetHeight + EDGE_PX > window.innerHeight;
      setStyle({ left, top: Math.max(EDGE_PX, isAbove ? y - offsetHeight : y) });
    }
    fit();
    window.addEventListener("resize", fit);
    return () => window.removeEventListener("resize", fit);
  }, [ref, x, y, content]);
  return style;
}
