import { Icon, type IconName } from "@messageoh/ui-kit/basics/Icon";
import { DESKTOP_QUERY, useMediaQuery } from "@messageoh/ui-kit/hooks/useMediaQuery";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import type { ReactElement } from "react";
import list from "../ui/borderedList.module.css";
import { AppearanceChoices } from "./AppearanceChoices.tsx";
import css from "./SettingsDialog.module.css";

/** Dialogs that the settings open. */
export type SettingsSection =
  | "account"
  | "password"
  | "sessions"
  | "notifications"
  | "privacy"
  | "storage"
  | "shortcuts";

interface Row {
  id: SettingsSection;
  icon: IconName;
  label: string;
  about: string;
}

const ROWS: readonly Row[] = [
  { id: "account", icon: "user", label: "My account", about: "Your name, your data, delete the account" },
  { id: "password", icon: "lock", label: "Change password", about: "Ends all other sessions" },
  { id: "sessions", icon: "devices", label: "Sessions", about: "Where you are logged in" },
  { id: "notifications", icon: "bell", label: "Notifications", about: "When somebody writes to you" },
  { id: "privacy", icon: "shield", label: "Privacy", about: "Who can add you, link previews, blocked people" },
  { id: "storage", icon: "picture", label: "Storage", about: "The space that your photos and files take up" },
];
const SHORTCUTS: Row = { id: "shortcuts", icon: "keyboard", label: "Keyboard shortcuts", about: "What the keys do" };

export interface SettingsDialogProps {
  onOpen: (section: SettingsSection) => void;
  onClose: () => void;
}

/** Renders all settings: a row for each part, and the appearance. It fills a phone. */
export function SettingsDialog({ onOpen, onClose }: SettingsDialogProps): ReactElement {
  const isWide = useMediaQuery(DESKTOP_QUERY);
  return (
    <Dialog onClose={onClose} title="Settings" isPage={!isWide}>
      <ul className={list.list}>
        {(isWide ? [...ROWS, SHORTCUTS] : ROWS).map(({ id, icon, label, about }) => (
          <li key={id}>
            <button type="button" className={css.row} aria-describedby={`about-${id}`} onClick={() => onOpen(id)}>
              <Icon name={icon} />
              <span className={css.texts}>
                <span className={css.label}>{label}</span>
                <span id={`about-${id}`} className={css.about} aria-hidden="true">
                  {about}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <AppearanceChoices />
    </Dialog>
  );
}
