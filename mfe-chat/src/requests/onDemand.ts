import { useEffect, useState } from "react";

/** Code of a part of the page that is loaded when a view first wants it. */
interface OnDemandCode<Module> {
  load: () => Promise<Module>;
  /** The part of the page that is missing if it fails, for the log. */
  what: string;
  /** Once it is loaded. */
  known: Module | null;
}

export const onDemand = <Module>(load: () => Promise<Module>, what: string): OnDemandCode<Module> => ({
  load,
  what,
  known: null,
});

/** Returns code, or `null` until it is loaded. Later views get it at once, so that rows of a list do not flash. */
export function useCode<Module>(code: OnDemandCode<Module>, isWanted: boolean): Module | null {
  const [loaded, setLoaded] = useState(code.known);
  const isMissing = isWanted && loaded === null;

  useEffect(() => {
    if (!isMissing) return;
    let isGone = false;
    code.load().then(
      (module) => {
        code.known = module;
        if (!isGone) setLoaded(module);
      },
      (error: unknown) => console.warn(`${code.what} are not shown`, error),
    );
    return () => {
      isGone = true;
    };
  }, [code, isMissing]);

  return isWanted ? loaded : null;
}
