import type { UIEvent } from "react";

/** More rows are loaded this long before the end of a list comes into view. */
const NEAR_PX = 600;

/** Returns a scroll handler that calls `act` while the end of the scrolled element is near. */
export function whenEndNear(act: () => void): (event: UIEvent<HTMLElement>) => void {
  return ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
    if (scrollHeight - scrollTop - clientHeight < NEAR_PX) act();
  };
}
