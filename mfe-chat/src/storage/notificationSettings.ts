import type { KeyValueStorage } from "../outbox/outboxStorage.ts";

/** A user's settings of notifications in this browser. */
export interface NotificationSettings {
  isOn: boolean;
  showsText: boolean;
  hasSound: boolean;
  /** Also while no page of Messageoh is open, by Web Push. */
  isPushWanted: boolean;
  /** The user has seen the offer to turn notifications on. */
  wasOffered: boolean;
}

const FIRST: NotificationSettings = {
  isOn: false,
  showsText: false,
  hasSound: false,
  isPushWanted: true,
  wasOffered: false,
};

export type SettingsStorage = ReturnType<typeof createSettingsStorage>;

/** Returns the storage of a user's settings. They are lost if the browser forbids storage. */
export function createSettingsStorage(userId: string, storage: KeyValueStorage) {
  const key = `messageoh:notifications:${userId}`;
  /** The settings of this page, for browsers that forbid storage. */
  let last = FIRST;

  function get(): NotificationSettings {
    try {
      const stored = storage.getItem(key);
      if (stored !== null) last = { ...FIRST, ...(JSON.parse(stored) as Partial<NotificationSettings>) };
    } catch (error) {
      console.warn("The settings of notifications could not be read", error);
    }
    return last;
  }

  return {
    key,
    get,
    change(change: Partial<NotificationSettings>): void {
      last = { ...get(), ...change };
      try {
        storage.setItem(key, JSON.stringify(last));
      } catch (error) {
        console.warn("The settings of notifications could not be stored", error);
      }
    },
  };
}
