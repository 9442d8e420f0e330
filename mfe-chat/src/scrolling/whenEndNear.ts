import type { UIEvent } from "react";

/** Distance from the end of a list in px at which more rows are loaded. */
const NEAR_PX = 600;

/** Returns a scroll handler that calls `act` while the end of the scrolled element is near. */
export function whenEndNear(act: () => void): (event: UIEvent<HTMLElement>) => void {
  return ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
    if (scrollHeight - scrollTop - clientHeight < NEAR_PX) act();
  };
}
