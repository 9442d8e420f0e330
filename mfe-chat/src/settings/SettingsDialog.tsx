import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { DESKTOP_QUERY, useMediaQuery } from "@messageoh/ui-kit/hooks/useMediaQuery";
import { type ComponentType, type ReactElement, useState } from "react";
import { viewOnDemand } from "../requests/viewOnDemand.tsx";
import list from "../ui/borderedList.module.css";
import { PageDialog } from "../ui/PageDialog.tsx";
import { AppearanceChoices } from "./AppearanceChoices.tsx";
import css from "./SettingsDialog.module.css";

/** The dialogs of the parts, whose code is loaded when they are opened. */
const PARTS = {
  account: viewOnDemand(() => import("../account/MyAccountDialog.tsx"), "MyAccountDialog"),
  password: viewOnDemand(() => import("../account/ChangePasswordDialog.tsx"), "ChangePasswordDialog"),
  sessions: viewOnDemand(() => import("../account/SessionsDialog.tsx"), "SessionsDialog"),
  notifications: viewOnDemand(() => import("../notification-settings/NotificationsDialog.tsx"), "NotificationsDialog"),
  privacy: viewOnDemand(() => import("../friendship/PrivacyDialog.tsx"), "PrivacyDialog"),
  storage: viewOnDemand(() => import("../used-space/StorageDialog.tsx"), "StorageDialog"),
  shortcuts: viewOnDemand(() => import("../keyboard/ShortcutsDialog.tsx"), "ShortcutsDialog"),
} satisfies Record<string, ComponentType<{ onClose: () => void }>>;

interface Row {
  id: keyof typeof PARTS;
  icon: icons.IconShape;
  label: string;
  about: string;
}

const ROWS: readonly Row[] = [
  { id: "account", icon: icons.user, label: "My account", about: "Your name, your data, delete the account" },
  { id: "password", icon: icons.lock, label: "Change password", about: "Ends all other sessions" },
  { id: "sessions", icon: icons.devices, label: "Sessions", about: "Where you are logged in" },
  { id: "notifications", icon: icons.bell, label: "Notifications", about: "When somebody writes to you" },
  { id: "privacy", icon: icons.shield, label: "Privacy", about: "Who can add you, link previews, blocked people" },
  { id: "storage", icon: icons.picture, label: "Storage", about: "The space that your photos and files take up" },
];
const SHORTCUTS: Row = {
  id: "shortcuts",
  icon: icons.keyboard,
  label: "Keyboard shortcuts",
  about: "What the keys do",
};

/** Renders all settings: a row for each part, which opens above it, and the appearance. It fills a phone. */
export function SettingsDialog({ onClose }: { onClose: () => void }): ReactElement {
  const isWide = useMediaQuery(DESKTOP_QUERY);
  const [part, setPart] = useState<keyof typeof PARTS | null>(null);
  const Part = part && PARTS[part];
  return (
    <>
      <PageDialog onClose={onClose} title="Settings">
        <ul className={list.list}>
          {(isWide ? [...ROWS, SHORTCUTS] : ROWS).map(({ id, icon, label, about }) => (
            <li key={id}>
              <button type="button" className={css.row} aria-describedby={`about-${id}`} onClick={() => setPart(id)}>
                <Icon icon={icon} />
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
      </PageDialog>
      {Part ? <Part onClose={() => setPart(null)} /> : null}
    </>
  );
}
