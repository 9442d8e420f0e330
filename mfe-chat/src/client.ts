// The chat without its views, for programs that run it outside of a browser.
export { type Chat, type ChatEnvironment, createChat } from "./createChat.ts";
export { POLL_MS } from "./fetching/catchUp.ts";
export { createChatApi } from "./fetching/chatApi.ts";
export { NOT_SENT_AFTER_MS } from "./outbox/queue.ts";
export type { QueuedMessage } from "./outbox/queuedMessage.ts";
export { createTabLock } from "./outbox/tabLock.ts";
export type { PageLifecycle, PageListeners } from "./realtime/pageLifecycle.ts";
export { type ClientSocket, createChatSocket, SOCKET_OPTIONS } from "./realtime/socket/socket.ts";
export { activeThread } from "./state/friendList.ts";
export { shownMessages, type ThreadMessage } from "./state/thread/shownMessages.ts";
export type { Thread } from "./state/thread/thread.ts";
export type { KeyValueStorage } from "./storage/browserStorage.ts";
