import { useState } from "react";
import { useAttempts } from "./useAttempts.ts";

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

/**
 * Returns code, or `null` until it is loaded, which is tried again after a failure. Later views get it at once, so that
 * rows of a list do not flash.
 */
export function useCode<Module>(code: OnDemandCode<Module>, isWanted: boolean): Module | null {
  const [loaded, setLoaded] = useState(code.known);

  async function attempt(): Promise<boolean> {
    try {
      code.known = await code.load();
      setLoaded(code.known);
      return true;
    } catch (error) {
      console.warn(`${code.what} are not shown`, error);
      return false;
    }
  }
  useAttempts(attempt, isWanted && loaded === null);

  return isWanted ? loaded : null;
}
