import { useCallback, useEffect, useRef, useState } from "react";

/** Returns what the function was last called with, for `ms` after each call and `null` otherwise, and the function. */
export function useMomentary<Value>(ms: number): [value: Value | null, show: (value: Value) => void] {
  const [value, setValue] = useState<Value | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = useCallback(
    (shown: Value) => {
      setValue(() => shown);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setValue(null), ms);
    },
    [ms],
  );
  return [value, show];
}
