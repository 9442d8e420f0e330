import type { PageLifecycle } from "../realtime/pageLifecycle.ts";
import type { Store } from "../state/store.ts";
import type { NotificationSettings, SettingsStorage } from "../storage/notificationSettings.ts";
import type { Notifier } from "./notifier.ts";

export interface NotificationsOptions {
  userId: string;
  store: Store;
  page: Pick<PageLifecycle, "isVisible">;
  settings: SettingsStorage;
  openThread: (friendId: string) => void;
}

export type Notifications = ReturnType<typeof createNotifications>;

/** Returns the notifications of one user in one tab. Their code is loaded when they are on. */
export function createNotifications({ settings, ...options }: NotificationsOptions) {
  const { store } = options;
  let notifier: Notifier | null = null;
  let isStarted = false;
  let isLoading = false;

  /** Starts or stops the notifier, as the settings say. */
  async function apply(): Promise<void> {
    const isWanted = () => isStarted && settings.get().isOn && notificationPermission() === "granted";
    if (isLoading) return;
    if (isWanted() && !notifier) {
      isLoading = true;
      try {
        const { createNotifier } = await import("./notifier.ts");
        if (isWanted()) notifier = createNotifier({ ...options, settings });
      } catch (error) {
        console.warn("Notifications could not be loaded", error);
      }
      isLoading = false;
    } else if (notifier && !isWanted()) {
      notifier.stop();
      notifier = null;
    }
  }

  /** Closes the notifications and ends the push subscription, because another person may use the browser next. */
  const leave = () => import("./push.ts").then(({ leaveBrowser }) => leaveBrowser()).catch(() => undefined);

  return {
    start(): void {
      isStarted = true;
      void apply();
      // The session of another user has ended while no page was open.
      if (!settings.get().isOn && notificationPermission() === "granted") void leave();
    },
    stop(): void {
      isStarted = false;
      void apply();
    },
    /** Follows a change of the settings in another tab. */
    handleStorage({ key }: Pick<StorageEvent, "key">): void {
      if (key !== settings.key) return;
      void apply();
      if (settings.get().wasOffered) store.dispatch({ type: "notificationsOffered", isOffered: false });
    },
    settings: settings.get,
    change(change: Partial<NotificationSettings>): void {
      settings.change({ ...change, wasOffered: true });
      void apply();
      store.dispatch({ type: "notificationsOffered", isOffered: false });
    },
    /** Offers to turn notifications on until the user answers. Call it when the user has sent a message. */
    offer(): void {
      const { isOn, wasOffered } = settings.get();
      if (isOn || wasOffered || !["default", "granted"].includes(notificationPermission())) return;
      store.dispatch({ type: "notificationsOffered", isOffered: true });
    },
    /** Ends what outlives the page, because the session ends: shown notifications and the push subscription. */
    end(): void {
      if (settings.get().isOn) void leave();
    },
  };
}

/** Returns whether the browser allows this site to show notifications. */
export const notificationPermission = (): NotificationPermission | "unsupported" =>
  typeof Notification === "undefined" ? "unsupported" : Notification.permission;
