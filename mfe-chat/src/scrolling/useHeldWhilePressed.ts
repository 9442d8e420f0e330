import { useWindowEvent } from "@messageoh/ui-kit/hooks/useWindowEvent";
import { useState } from "react";

/**
 * Returns `value`, but keeps the one that was shown when a pointer was pressed until the click that follows: rows that
 * move under the pointer in between would lose the click.
 */
export function useHeldWhilePressed<T>(value: T): [T, { onPointerDown: () => void }] {
  const [held, setHeld] = useState<{ value: T } | null>(null);
  // The click comes right after the release.
  const release = () => void setTimeout(() => setHeld(null));
  useWindowEvent("pointerup", release);
  useWindowEvent("pointercancel", release);
  return [held ? held.value : value, { onPointerDown: () => setHeld({ value }) }];
}
