import { useCallback, useEffect, useRef, useState } from "react";

/** Returns a value that becomes `null` when it was set `ms` milliseconds ago, and the function that sets it. */
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
