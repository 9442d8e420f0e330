import { type MouseEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { CLOSE_UP, moved, type View, WHOLE, zoomed } from "./zoom.ts";

/** Movement in px that goes to another picture. */
const SWIPE_PX = 60;
/** Pixels of a mouse wheel that double the picture. */
const WHEEL_PX = 400;

interface Point {
  x: number;
  y: number;
}

/**
 * Returns the view of the picture on the stage, and the handlers that zoom with the wheel, two fingers and a double
 * click, move the picture, and swipe.
 * @param key the picture; another one is shown whole
 */
export function useZoom(key: string, onSwipe: (direction: 1 | -1) => void) {
  const stageRef = useRef<HTMLDivElement>(null);
  const pictureRef = useRef<HTMLDivElement>(null);
  const [{ view, of }, setState] = useState({ view: WHOLE, of: key });
  const shown = of === key ? view : WHOLE;
  const pointers = useRef(new Map<number, Point>());
  /** Two fingers zoom until both have gone: the last one does not swipe. */
  const isPinch = useRef(false);
  const [swipePx, setSwipePx] = useState(0);
  const [isHeld, setIsHeld] = useState(false);

  const change = (next: (view: View) => View) =>
    setState((state) => ({ view: next(state.of === key ? state.view : WHOLE), of: key }));

  function sizes() {
    const { clientWidth: width = 0, clientHeight: height = 0 } = stageRef.current ?? {};
    const { offsetWidth = 0, offsetHeight = 0 } = pictureRef.current ?? {};
    return [
      { width, height },
      { width: offsetWidth, height: offsetHeight },
    ] as const;
  }

  /** Zooms around a point of the window, by default the centre of the stage. */
  function zoom(factor: number, point?: Point): void {
    const { left = 0, top = 0, width = 0, height = 0 } = stageRef.current?.getBoundingClientRect() ?? {};
    const at = point ? { x: point.x - left - width / 2, y: point.y - top - height / 2 } : { x: 0, y: 0 };
    change((current) => zoomed(current, factor, at, ...sizes()));
  }

  const handleWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    zoom(2 ** (-event.deltaY / WHEEL_PX), { x: event.clientX, y: event.clientY });
  });
  useEffect(() => {
    const stage = stageRef.current;
    // React's handler could not keep the page from zooming.
    stage?.addEventListener("wheel", handleWheel, { passive: false });
    return () => stage?.removeEventListener("wheel", handleWheel);
  }, []);

  function handlePointerMove({ pointerId, clientX: x, clientY: y }: PointerEvent): void {
    const before = pointers.current.get(pointerId);
    if (!before) return;
    const other = [...pointers.current].find(([id]) => id !== pointerId)?.[1];
    pointers.current.set(pointerId, { x, y });
    if (other) {
      const distance = (from: Point) => Math.hypot(from.x - other.x, from.y - other.y);
      zoom(distance({ x, y }) / Math.max(1, distance(before)), { x: (x + other.x) / 2, y: (y + other.y) / 2 });
      setSwipePx(0);
    } else if (shown.scale > 1) {
      change((current) => moved(current, { x: x - before.x, y: y - before.y }, ...sizes()));
    } else if (!isPinch.current) setSwipePx(swipePx + x - before.x);
  }

  function handlePointerEnd({ pointerId }: PointerEvent): void {
    if (!pointers.current.delete(pointerId) || pointers.current.size > 0) return;
    setIsHeld(false);
    setSwipePx(0);
    if (Math.abs(swipePx) >= SWIPE_PX) onSwipe(swipePx < 0 ? 1 : -1);
  }

  return {
    stageRef,
    pictureRef,
    /** CSS transform of the picture. */
    transform: `translate(${shown.x + swipePx}px, ${shown.y}px) scale(${shown.scale})`,
    /** A pointer moves the picture, which follows it at once. */
    isHeld,
    isZoomed: shown.scale > 1,
    zoom,
    reset: () => change(() => WHOLE),
    handlers: {
      onPointerDown(event: PointerEvent): void {
        if (event.target instanceof Element && event.target.closest("button")) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        isPinch.current = pointers.current.size > 1;
        setIsHeld(true);
      },
      onPointerMove: handlePointerMove,
      onPointerUp: handlePointerEnd,
      onPointerCancel(event: PointerEvent): void {
        setSwipePx(0);
        pointers.current.delete(event.pointerId);
        setIsHeld(pointers.current.size > 0);
      },
      onDoubleClick({ clientX: x, clientY: y, target }: MouseEvent): void {
        if (target instanceof Element && target.closest("button")) return;
        if (shown.scale > 1) change(() => WHOLE);
        else zoom(CLOSE_UP, { x, y });
      },
    },
  };
}
