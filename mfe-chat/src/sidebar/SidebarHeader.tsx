import { Avatar } from "@messageoh/ui-kit/avatars/Avatar";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { Menu } from "@messageoh/ui-kit/controls/Menu";
import { useDarkTheme } from "@messageoh/ui-kit/hooks/useAppearance";
import type { ReactElement } from "react";
import { useChat, useChatState } from "../useChat.ts";
import css from "./SidebarHeader.module.css";

/** Dialogs that the account menu opens. */
export type AccountDialog = "avatar" | "invite" | "starred" | "settings";

export interface SidebarHeaderProps {
  isAddingFriend: boolean;
  onAddFriend: () => void;
  onOpenDialog: (dialog: AccountDialog) => void;
}

/** Renders the logged-in user with the account menu, and the add-friend button. */
export function SidebarHeader({ isAddingFriend, onAddFriend, onOpenDialog }: SidebarHeaderProps): ReactElement {
  const user = useChatState((state) => state.me);
  const { logOut } = useChat().account;
  const [isDark, switchTheme] = useDarkTheme();
  const otherTheme = isDark
    ? ({ label: "Light theme", icon: icons.sun } as const)
    : ({ label: "Dark theme", icon: icons.moon } as const);

  return (
    <header className={css.header}>
      <Menu
        label="Your avatar and account menu"
        button={<Avatar avatarId={user.avatar_id} />}
        items={[
          { id: "avatar", label: "Change avatar", icon: icons.smile, onSelect: () => onOpenDialog("avatar") },
          { id: "invite", label: "Share my link", icon: icons.link, onSelect: () => onOpenDialog("invite") },
          { id: "starred", label: "Starred messages", icon: icons.star, onSelect: () => onOpenDialog("starred") },
          { id: "theme", ...otherTheme, onSelect: switchTheme },
          { id: "settings", label: "Settings", icon: icons.settings, onSelect: () => onOpenDialog("settings") },
          { id: "log-out", label: "Log out", icon: icons.logOut, onSelect: logOut },
        ]}
      />
      <h1 className={css.greeting} dir="auto" title={user.name}>
        Hi <bdi>{user.name}</bdi>!
      </h1>
      <IconButton icon={icons.addFriend} aria-label="Add friend" aria-pressed={isAddingFriend} onClick={onAddFriend} />
    </header>
  );
}
