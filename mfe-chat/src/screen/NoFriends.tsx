import { EmptyState } from "@messageoh/ui-kit/EmptyState";
import sadJellyfish from "@messageoh/ui-kit/sad-jellyfish.svg";
import type { ReactElement } from "react";

/** Stands where friends or messages would be when there are no threads at all. */
export function NoFriends({ className }: { className?: string }): ReactElement {
  return (
    <EmptyState
      className={className}
      art={sadJellyfish}
      title="No friends here yet..."
      text="Don't be shy, add a friend first!"
    />
  );
}
