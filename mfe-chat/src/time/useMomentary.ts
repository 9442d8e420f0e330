import { useCallback, useEffect, useRef, useState } from "react";

/**
 * Returns a value that becomes `null` after a time, and the function that sets it.
 * @param ms the time in milliseconds, unless the function gets another one
 */
export function useMomentary<Value>(ms: number): [value: Value | null, show: (value: Value, forMs?: number) => void] {
  const [value, setValue] = useState<Value | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = useCallback(
    (shown: Value, forMs = ms) => {
      setValue(() => shown);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setValue(null), forMs);
    },
    [ms],
  );
  return [value, show];
}
