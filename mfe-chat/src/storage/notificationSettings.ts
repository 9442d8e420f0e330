import { type KeyValueStorage, parseJson, storedUnder } from "./browserStorage.ts";

const FIRST = {
  isOn: false,
  showsText: false,
  hasSound: false,
  /** Also while no page of Messageoh is open, by Web Push. */
  isPushWanted: true,
  /** The user has answered the offer to turn notifications on, or changed a setting. */
  wasOffered: false,
};

/** A user's settings of notifications in this browser. */
export type NotificationSettings = typeof FIRST;

export type SettingsStorage = ReturnType<typeof createSettingsStorage>;

/** Returns the storage of a user's settings. They are lost if the browser forbids storage. */
export function createSettingsStorage(userId: string, storage: KeyValueStorage) {
  const key = `messageoh:notifications:${userId}`;
  const stored = storedUnder(key, storage, "The settings of notifications");
  /** The settings of this page, for browsers that forbid storage. */
  let last = FIRST;

  function get(): NotificationSettings {
    last = { ...last, ...(parseJson(stored.get("")) as Partial<NotificationSettings> | null) };
    return last;
  }

  return {
    key,
    get,
    change(change: Partial<NotificationSettings>): void {
      last = { ...get(), ...change };
      stored.set("", JSON.stringify(last));
    },
  };
}
