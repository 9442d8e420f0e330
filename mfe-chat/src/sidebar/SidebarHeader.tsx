import { Avatar } from "@messageoh/ui-kit/avatars/Avatar";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { Menu, type MenuItem } from "@messageoh/ui-kit/controls/Menu";
import { DESKTOP_QUERY, useMediaQuery } from "@messageoh/ui-kit/hooks/useMediaQuery";
import { useTheme } from "@messageoh/ui-kit/hooks/useTheme";
import type { ReactElement } from "react";
import { useChat, useChatState } from "../useChat.ts";
import css from "./SidebarHeader.module.css";

/** Dialogs that the account menu opens. */
export type AccountDialog =
  | "account"
  | "avatar"
  | "invite"
  | "password"
  | "sessions"
  | "privacy"
  | "notifications"
  | "shortcuts";

const THEMES = [
  { id: "system", label: "Theme of the system", icon: "screen" },
  { id: "light", label: "Light theme", icon: "sun" },
  { id: "dark", label: "Dark theme", icon: "moon" },
] as const;

export interface SidebarHeaderProps {
  isAddingFriend: boolean;
  onAddFriend: () => void;
  onOpenDialog: (dialog: AccountDialog) => void;
}

/** Renders the logged-in user with the account menu, and the add-friend button. */
export function SidebarHeader({ isAddingFriend, onAddFriend, onOpenDialog }: SidebarHeaderProps): ReactElement {
  const user = useChatState((state) => state.me);
  const { logOut } = useChat().account;
  const [theme, setTheme] = useTheme();
  const isWide = useMediaQuery(DESKTOP_QUERY);
  const shortcuts: MenuItem = {
    id: "shortcuts",
    label: "Keyboard shortcuts",
    icon: "keyboard",
    onSelect: () => onOpenDialog("shortcuts"),
  };

  return (
    <header className={css.header}>
      <Menu
        label="Your avatar and account menu"
        button={<Avatar avatarId={user.avatar_id} />}
        items={[
          { id: "avatar", label: "Change avatar", icon: "smile", onSelect: () => onOpenDialog("avatar") },
          { id: "invite", label: "Share my link", icon: "link", onSelect: () => onOpenDialog("invite") },
          { id: "password", label: "Change password", icon: "lock", onSelect: () => onOpenDialog("password") },
          { id: "sessions", label: "Sessions", icon: "devices", onSelect: () => onOpenDialog("sessions") },
          {
            id: "notifications",
            label: "Notifications",
            icon: "bell",
            onSelect: () => onOpenDialog("notifications"),
          },
          { id: "privacy", label: "Privacy", icon: "shield", onSelect: () => onOpenDialog("privacy") },
          { id: "account", label: "My account", icon: "user", onSelect: () => onOpenDialog("account") },
          ...(isWide ? [shortcuts] : []),
          {
            id: "theme",
            label: "Theme",
            options: THEMES.map((option) => ({
              ...option,
              isChosen: option.id === theme,
              onSelect: () => setTheme(option.id),
            })),
          },
          { id: "log-out", label: "Log out", icon: "log-out", onSelect: logOut },
        ]}
      />
      <h1 className={css.greeting} title={user.name}>
        Hi <bdi>{user.name}</bdi>!
      </h1>
      <IconButton icon="add-friend" aria-label="Add friend" aria-pressed={isAddingFriend} onClick={onAddFriend} />
    </header>
  );
}
