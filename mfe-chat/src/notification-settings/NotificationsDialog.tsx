import { ChoiceField } from "@messageoh/ui-kit/fields/ChoiceField";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import { type ReactElement, useState } from "react";
import { notificationPermission } from "../notifications/notifications.ts";
import { type PushSupport, readPush, syncPush } from "../notifications/push.ts";
import { playSound } from "../notifications/sound.ts";
import { useLoaded } from "../requests/useLoaded.ts";
import type { NotificationSettings } from "../storage/notificationSettings.ts";
import { useChat } from "../useChat.ts";
import css from "./NotificationsDialog.module.css";
import { askPermission, BLOCKED_TEXT, PUSH_FAILED_TEXT, UNSUPPORTED_TEXT } from "./permission.ts";

/** Renders what the user can choose about notifications in this browser. */
export function NotificationsDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { settings: readSettings, change: changeNotifications } = useChat().notifications;
  const [settings, setSettings] = useState(readSettings);
  const [permission, setPermission] = useState(notificationPermission);
  // It is unknown while the browser is offline, for example. The other settings do not need the server.
  const { value: push, setValue: setPush } = useLoaded<PushSupport>(readPush);
  const [error, setError] = useState<string | null>(null);
  const isOn = settings.isOn && permission === "granted";

  async function change(changed: Partial<NotificationSettings>): Promise<void> {
    const next = { ...settings, ...changed };
    setSettings(next);
    setError(null);
    changeNotifications(changed);
    try {
      setPush(await syncPush({ isWanted: next.isOn && next.isPushWanted, showsText: next.showsText }));
    } catch (failure) {
      console.warn("Push notifications could not be changed", failure);
      setError(PUSH_FAILED_TEXT);
    }
  }

  async function turn(on: boolean): Promise<void> {
    const answer = on ? await askPermission() : permission;
    setPermission(answer);
    if (!on || answer === "granted") await change({ isOn: on });
  }

  function turnSound(hasSound: boolean): void {
    if (hasSound) playSound().catch((failure: unknown) => console.warn("The sound could not be played", failure));
    void change({ hasSound });
  }

  if (permission === "denied" || permission === "unsupported") {
    return (
      <Dialog onClose={onClose} title="Notifications">
        <p>{permission === "denied" ? BLOCKED_TEXT : UNSUPPORTED_TEXT}</p>
      </Dialog>
    );
  }
  return (
    <Dialog onClose={onClose} title="Notifications">
      <ChoiceField
        type="checkbox"
        label="Notify me about new messages"
        checked={isOn}
        onChange={({ target }) => void turn(target.checked)}
      />
      <p className={css.hint}>For this browser. Muted threads stay silent.</p>
      {isOn ? (
        <fieldset className={css.choices}>
          <legend className={css.heading}>Options</legend>
          <ChoiceField
            type="checkbox"
            label="Show the text of the message"
            checked={settings.showsText}
            onChange={({ target }) => void change({ showsText: target.checked })}
          />
          <ChoiceField
            type="checkbox"
            label="Play a quiet sound"
            checked={settings.hasSound}
            onChange={({ target }) => turnSound(target.checked)}
          />
          {push === null || push === "unsupported" ? null : (
            <ChoiceField
              type="checkbox"
              label="Also when Messageoh is closed"
              checked={settings.isPushWanted}
              onChange={({ target }) => void change({ isPushWanted: target.checked })}
            />
          )}
        </fieldset>
      ) : null}
      <FormError className={css.error}>{error}</FormError>
    </Dialog>
  );
}
