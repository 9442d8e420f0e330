import type { Message } from "@messageoh/contracts/messages";
import type { ThreadNotification } from "@messageoh/contracts/push";
import { aMessage, aThreadState, BOB, CLEO, ME, WITH_BOB } from "../../testing/builders.ts";
import { firstState } from "../state/chatState.ts";
import { createStore } from "../state/store.ts";
import type { NotificationSettings } from "../storage/notificationSettings.ts";
import { createNotifier } from "./notifier.ts";

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Returns a notifier in a hidden tab. Bob's thread has three messages, all of them read. */
function aNotifier(chosen: Partial<NotificationSettings> = {}) {
  const state = { isVisible: false, isElected: true, isOtherVisible: false };
  const settings: NotificationSettings = {
    isOn: true,
    showsText: false,
    hasSound: false,
    isPushWanted: false,
    wasOffered: true,
    ...chosen,
  };
  const store = createStore(firstState(ME, null, false));
  const shown: [title: string, body: string, data: ThreadNotification["data"]][] = [];
  const closed: string[] = [];
  let played = 0;
  const notifier = createNotifier({
    userId: ME.id,
    store,
    page: { isVisible: () => state.isVisible },
    settings: { get: () => settings },
    openThread: () => undefined,
    shown: {
      show: async (...notification) => void shown.push(notification),
      close: async (isClosed) => void closed.push(...[WITH_BOB, "with-cleo"].filter(isClosed)),
    },
    tabs: {
      start: () => undefined,
      stop: () => undefined,
      setVisible: () => undefined,
      isElected: () => state.isElected,
      isAnyVisible: async () => state.isOtherVisible,
    },
    play: async () => {
      played += 1;
    },
  });
  store.dispatch(
    { type: "friendsListed", friends: [BOB, CLEO] },
    { type: "previewsListed", messages: [aMessage({ seq: 3 })] },
    { type: "threadsSynced", threads: [aThreadState({ last_seq: 3, read_seq: 3, unread_count: 0 })] },
    { type: "statusChanged", status: "ready" },
  );
  closed.length = 0;
  const receive = async (seq: number, text = `text ${seq}`) => {
    store.dispatch({ type: "messagesReceived", messages: [aMessage({ seq, text })] });
    await settled();
  };
  return { state, store, shown, closed, receive, notifier, played: () => played };
}
const DATA = { thread_id: WITH_BOB, friend_id: BOB.id };

it("shows the sender of a message to a hidden tab, without the text", async () => {
  const { shown, receive, played } = aNotifier();
  await receive(4, "a private text");
  expect(shown).toEqual([[BOB.name, "New message", DATA]]);
  expect(played()).toBe(0);
});

it("shows the text and plays a sound if the user wants them", async () => {
  const { shown, receive, played } = aNotifier({ showsText: true, hasSound: true });
  await receive(4, "Hello");
  expect(shown).toEqual([[BOB.name, "Hello", DATA]]);
  expect(played()).toBe(1);
});

it("cuts a long text between two characters", async () => {
  const { shown, receive } = aNotifier({ showsText: true });
  await receive(4, `a${"🦊".repeat(200)}`);
  expect(shown).toEqual([[BOB.name, `a${"🦊".repeat(119)}`, DATA]]);
});

it.each<[string, (tab: ReturnType<typeof aNotifier>) => void]>([
  [
    "the tab is visible",
    ({ state }) => {
      state.isVisible = true;
    },
  ],
  [
    "another tab of the user is visible",
    ({ state }) => {
      state.isOtherVisible = true;
    },
  ],
  [
    "another tab shows the notifications",
    ({ state }) => {
      state.isElected = false;
    },
  ],
  [
    "the thread is muted",
    ({ store }) => store.dispatch({ type: "friendChanged", friendId: BOB.id, change: { is_muted: true } }),
  ],
  ["the notifier has stopped", ({ notifier }) => notifier.stop()],
])("shows nothing while %s", async (_, prepare) => {
  const tab = aNotifier();
  prepare(tab);
  await tab.receive(4);
  expect(tab.shown).toEqual([]);
});

it("shows nothing for messages that were there when the page loaded, and for own ones", async () => {
  const { store, shown } = aNotifier();
  store.dispatch({ type: "messagesReceived", messages: [aMessage({ seq: 3 })] });
  const own = aMessage({ seq: 4, sending_user_id: ME.id, recipient_user_id: BOB.id });
  store.dispatch({ type: "messagesReceived", messages: [own] });
  await settled();
  expect(shown).toEqual([]);
});

it("shows a message that was announced before it was loaded", async () => {
  const { store, shown, receive } = aNotifier();
  const announced = aThreadState({ last_seq: 4, read_seq: 3, unread_count: 1, last_message: null });
  store.dispatch({ type: "threadsSynced", threads: [announced] });
  await settled();
  expect(shown).toEqual([]);
  await receive(4);
  expect(shown).toHaveLength(1);
});

it("shows nothing for a message that has been read by the time the other tabs are known", async () => {
  const { store, shown } = aNotifier();
  store.dispatch({ type: "messagesReceived", messages: [aMessage({ seq: 4 })] });
  store.dispatch({ type: "markerMoved", kind: "read", threadId: WITH_BOB, userId: ME.id, seq: 4 });
  await settled();
  expect(shown).toEqual([]);
});

it("closes the notification of a deleted message; no other change shows or closes one", async () => {
  const { store, closed, shown, receive } = aNotifier();
  await receive(4);
  const changed = async (parts: Partial<Message>) => {
    store.dispatch({ type: "messagesChanged", messages: [aMessage({ seq: 4, ...parts })] });
    await settled();
  };
  await changed({ change: 1, text: "Edited" });
  await changed({ change: 2, reactions: [{ user_id: "bob", emoji: "👍" }] });
  expect([shown.length, closed]).toEqual([1, []]);
  await changed({ change: 3, text: "deleted", deleted_at: new Date().toISOString() });
  expect([shown.length, closed]).toEqual([1, [WITH_BOB]]);
});

it("closes the notification of a message that is hidden on another device, and shows none for a hidden one", async () => {
  const { store, closed, shown, receive } = aNotifier();
  const hide = (seq: number) =>
    store.dispatch({ type: "messageMarked", change: { thread_id: WITH_BOB, seq, hidden: true } });
  await receive(4);
  hide(4);
  await settled();
  expect([shown.length, closed]).toEqual([1, [WITH_BOB]]);
  hide(5);
  await receive(5);
  expect(shown).toHaveLength(1);
});

it("closes the notification of a thread that is read on another device, or whose friendship has ended", async () => {
  const { store, closed, receive } = aNotifier();
  await receive(4);
  expect(closed).toEqual([]);
  store.dispatch({ type: "markerMoved", kind: "read", threadId: WITH_BOB, userId: ME.id, seq: 4 });
  expect(closed).toEqual([WITH_BOB]);
  await receive(5);
  store.dispatch({ type: "friendRemoved", friendId: BOB.id });
  expect(closed).toEqual([WITH_BOB, WITH_BOB]);
});

it("closes the push notification of a message that was read on another device while this tab was suspended", async () => {
  const { store, closed, shown } = aNotifier();
  store.dispatch({ type: "threadsSynced", threads: [aThreadState({ last_seq: 4, read_seq: 4, unread_count: 0 })] });
  await settled();
  expect([closed, shown]).toEqual([[WITH_BOB], []]);
});

it("closes what it has shown when it stops, because another person may use the browser next", async () => {
  const { closed, receive, notifier } = aNotifier({ showsText: true });
  await receive(4, "a private text");
  notifier.stop();
  expect(closed).toContain(WITH_BOB);
});
