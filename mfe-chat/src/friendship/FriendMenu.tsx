import { errorText } from "@messageoh/contracts/errorText";
import type { ListedFriend } from "@messageoh/contracts/users";
import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { Menu } from "@messageoh/ui-kit/controls/Menu";
import { type ReactElement, useState } from "react";
import { useChat } from "../useChat.ts";
import { EndFriendship } from "./EndFriendship.ts";
import type { Ending } from "./EndFriendshipDialog.tsx";
import css from "./FriendMenu.module.css";

export interface FriendMenuProps {
  friend: ListedFriend;
  threadId: string;
  /** Shows what was shared in the thread. */
  onShared: () => void;
  onGoToDate: () => void;
}

/** Renders the menu of a thread: go to a date, what was shared in it, mute, unfriend and block. */
export function FriendMenu({ friend, threadId, onShared, onGoToDate }: FriendMenuProps): ReactElement {
  const { friends, showNotice } = useChat();
  const isMuted = friend.is_muted === true;
  const [ending, setEnding] = useState<Ending | null>(null);

  async function handleMute(): Promise<void> {
    await friends.mute(friend.id, !isMuted).catch((failure: unknown) => showNotice(threadId, errorText(failure)));
  }

  return (
    <div className={css.root}>
      <Menu
        label={`Menu of the thread with ${friend.name}`}
        align="end"
        button={<Icon icon={icons.more} />}
        items={[
          { id: "date", label: "Go to date", icon: icons.calendar, onSelect: onGoToDate },
          { id: "shared", label: "Media, files and links", icon: icons.picture, onSelect: onShared },
          isMuted
            ? { id: "mute", label: "Unmute", icon: icons.bell, onSelect: () => void handleMute() }
            : { id: "mute", label: "Mute", icon: icons.bellOff, onSelect: () => void handleMute() },
          { id: "unfriend", label: "Unfriend", icon: icons.removeFriend, onSelect: () => setEnding("unfriend") },
          { id: "block", label: "Block", icon: icons.block, onSelect: () => setEnding("block") },
        ]}
      />
      {ending ? <EndFriendship friend={friend} how={ending} onClose={() => setEnding(null)} /> : null}
    </div>
  );
}
