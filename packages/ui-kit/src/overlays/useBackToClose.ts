import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { openLayer } from "./backLayers.ts";

/** Calls `onClose` when Back is pressed while `isOpen`, which may also become false in any other way. */
export function useBackToClose(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  const removeEntry = useRef<() => void>(undefined);
  // Before the layer is painted, so that no Back can come earlier than its history entry.
  useLayoutEffect(() => {
    if (isOpen) removeEntry.current = openLayer(close);
  }, [isOpen]);
  // With the effects of a redirect that closes the layer, which must come before the entry is taken back.
  useEffect(() => (isOpen ? () => removeEntry.current?.() : undefined), [isOpen]);
}
