import * as icons from "@messageoh/ui-kit/basics/icons";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { EmptyState } from "@messageoh/ui-kit/feedback/EmptyState";
import sadJellyfish from "@messageoh/ui-kit/sad-jellyfish.svg";
import type { ReactElement } from "react";
import css from "./NoFriends.module.css";

export interface NoFriendsProps {
  className?: string;
  onAddFriend: () => void;
  onShareLink: () => void;
}

/** Renders the empty state for a user without friends. */
export function NoFriends({ className, onAddFriend, onShareLink }: NoFriendsProps): ReactElement {
  return (
    <EmptyState
      className={className}
      art={sadJellyfish}
      title="No friends here yet..."
      text="Don't be shy, add a friend first!"
    >
      <Button className={css.action} icon={icons.addFriend} onClick={onAddFriend}>
        Add your first friend
      </Button>
      <Button className={css.action} variant="quiet" icon={icons.link} onClick={onShareLink}>
        Share my link
      </Button>
    </EmptyState>
  );
}
