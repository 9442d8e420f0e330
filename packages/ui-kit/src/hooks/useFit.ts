import { type CSSProperties, type RefObject, useLayoutEffect, useState } from "react";

/** Space between the element and the edge of the window in px. */
const EDGE_PX = 8;

/**
 * Returns the style that places an element at a point, or further up or left if it does not fit into the window there.
 * The element scrolls if it is higher than the window or, without a point, than the space below its place.
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
      const top = Math.max(EDGE_PX, isAbove ? y - offsetHeight : y);
      setStyle({ left, top, maxHeight: `calc(100dvh - ${2 * EDGE_PX}px)` });
    }
    fit();
    window.addEventListener("resize", fit);
    return () => window.removeEventListener("resize", fit);
  }, [ref, x, y, content]);
  return style;
}
