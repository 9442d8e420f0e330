import { summaryOf } from "@messageoh/contracts/attachments";
import { beginningOf } from "@messageoh/contracts/beginningOf";
import type { Message } from "@messageoh/contracts/messages";
import type { ClickMessage } from "@messageoh/contracts/push";
import type { PageLifecycle } from "../realtime/pageLifecycle.ts";
import { isMuted } from "../state/friendList.ts";
import type { Store } from "../state/store.ts";
import { newestOf } from "../state/thread/segments.ts";
import { newestShown } from "../state/thread/shownMessages.ts";
import type { Thread } from "../state/thread/thread.ts";
import { countUnread } from "../state/thread/unread.ts";
import type { SettingsStorage } from "../storage/notificationSettings.ts";
import { syncPush } from "./push.ts";
import { playSound } from "./sound.ts";
import { createTabs, type Tabs } from "./tabs.ts";
import { createThreadNotifications, type ThreadNotifications } from "./threadNotifications.ts";

const TEXT_MAX_CHARACTERS = 120;

export interface Notifier {
  stop: () => void;
}

export interface NotifierOptions {
  userId: string;
  store: Store;
  page: Pick<PageLifecycle, "isVisible">;
  settings: Pick<SettingsStorage, "get">;
  openThread: (friendId: string) => void;
  /** Browser APIs; tests replace them. */
  shown?: ThreadNotifications;
  tabs?: Tabs;
  play?: () => Promise<void>;
}

/**
 * Starts to show a notification for each thread that gets a message while no tab of the user is visible. One tab shows
 * them; every tab closes those of threads that have been read, here or on another device, and those of deleted
 * messages.
 */
export function createNotifier(options: NotifierOptions): Notifier {
  const { userId, store, page, settings, openThread, play = playSound } = options;
  const shown = options.shown ?? createThreadNotifications(handleClick);
  const tabs = options.tabs ?? createTabs(userId, navigator.locks);
  /** Number of the newest message that needs no notification, by thread id; `null` before the threads are loaded. */
  let seen: Map<string, number> | null = null;
  let before: ReadonlyMap<string, Thread> = new Map();
  let isStopped = false;

  function handleClick(friendId: string): void {
    window.focus();
    openThread(friendId);
  }

  function handleWorkerMessage({ data }: MessageEvent): void {
    const message = data as ClickMessage | null;
    if (message?.type === "notification-clicked") openThread(message.friend_id);
  }

  function follow(): void {
    const { status, threads } = store.get();
    if (status !== "ready" || threads === before) return;
    const changed = [...threads.values()].filter((thread) => before.get(thread.threadId) !== thread);
    const closed = new Set([...before.keys()].filter((threadId) => !threads.has(threadId)));
    for (const thread of changed) if (isClosing(thread, before.get(thread.threadId))) closed.add(thread.threadId);
    before = threads;
    if (closed.size > 0) void shown.close((threadId) => closed.has(threadId));
    for (const thread of changed) if (isNews(thread)) void notify(thread);
    const isFirst = seen === null;
    seen ??= new Map();
    for (const { threadId, lastSeq, segments } of changed) {
      // A message that is announced and not loaded yet is still news.
      const seq = isFirst ? lastSeq : (newestOf(segments)?.seq ?? 0);
      seen.set(threadId, Math.max(seen.get(threadId) ?? 0, seq));
    }
  }

  /** Returns whether a thread has unread messages that were not there before. */
  function isNews(thread: Thread): boolean {
    const { threadId, friendId } = thread;
    const newest = newestOfFriend(thread);
    const isNew = seen !== null && newest !== undefined && newest.seq > (seen.get(threadId) ?? 0);
    return isNew && countUnread(thread) > 0 && !isMuted(store.get(), friendId);
  }

  async function notify({ threadId, friendId }: Thread): Promise<void> {
    if (page.isVisible() || !tabs.isElected() || (await tabs.isAnyVisible())) return;
    const { threads, friends } = store.get();
    const [thread, friend] = [threads.get(threadId), friends.get(friendId)];
    const newest = thread && newestOfFriend(thread);
    if (isStopped || !thread || !newest || !friend || countUnread(thread) === 0) return;
    const { showsText, hasSound } = settings.get();
    const body = showsText ? beginningOf(summaryOf(newest), TEXT_MAX_CHARACTERS) : "New message";
    await shown.show(friend.name, body, { thread_id: threadId, friend_id: friendId });
    if (hasSound) await play().catch((error: unknown) => console.warn("The sound could not be played", error));
  }

  const showVisibility = () => tabs.setVisible(page.isVisible());
  const unsubscribe = store.subscribe(follow);
  document.addEventListener("visibilitychange", showVisibility);
  navigator.serviceWorker?.addEventListener("message", handleWorkerMessage);
  tabs.start();
  showVisibility();
  follow();
  const { isPushWanted, showsText } = settings.get();
  syncPush({ isWanted: isPushWanted, showsText }).catch((error: unknown) => {
    console.warn("Push notifications could not be turned on", error);
  });

  return {
    stop(): void {
      isStopped = true;
      unsubscribe();
      document.removeEventListener("visibilitychange", showVisibility);
      navigator.serviceWorker?.removeEventListener("message", handleWorkerMessage);
      tabs.stop();
      // Without a service worker, nothing else can close the notifications of this tab.
      void shown.close(() => true);
    },
  };
}

const isRead = (thread: Thread | undefined): boolean => thread !== undefined && countUnread(thread) === 0;

/**
 * Returns whether the thread was read, or the message of its notification was deleted or hidden. A push may have shown
 * a message that is read when this page learns of it from the list of the threads.
 */
function isClosing(thread: Thread, before: Thread | undefined): boolean {
  if (isRead(thread)) return !isRead(before) || thread.counted !== before?.counted;
  return before !== undefined && (newestOfFriend(thread)?.seq ?? 0) < (newestOfFriend(before)?.seq ?? 0);
}

const newestOfFriend = (thread: Thread): Message | undefined =>
  newestShown(thread, ({ sending_user_id, deleted_at }) => sending_user_id === thread.friendId && !deleted_at);
