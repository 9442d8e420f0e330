import type { AvatarId } from "@messageoh/contracts/avatars";
import type { Message } from "@messageoh/contracts/messages";
import type { DeletedTexts, Friend, Privacy, Profile, SessionInfo, User } from "@messageoh/contracts/users";
import type { MessageReference } from "../links/messageLink.ts";
import type { Connection, Jump, LoadStatus } from "../state/chatState.ts";
import type { NotificationSettings } from "../storage/notificationSettings.ts";

export type SendState = "sending" | "sent" | "delivered" | "read" | "not-sent";

export interface ThreadMessage {
  /** Stable from first render to ack: the client id of own messages, the stored id of others. */
  key: string;
  /** Id of the server; the client's timestamp until the message is stored. */
  id: string;
  threadId: string;
  /** Null until stored. */
  seq: number | null;
  isMine: boolean;
  text: string;
  /** ISO. */
  timestamp: string;
  /** Own messages only. */
  sendState: SendState | null;
  /** Reason of the server for refusing the message. */
  notSentReason?: string;
  /** The user can delete it, because no attempt to send it goes on. */
  isDeletable?: true;
}

export interface SearchPage<Item> {
  items: readonly Item[];
  /** Start of the next page; `null` at the end. */
  last: Item | null;
}

export interface Thread {
  threadId: string;
  friendParticipantId: string;
  /** Shown window, ascending, unsent messages last; without empty texts. */
  messages: readonly ThreadMessage[];
  /** History continues before the window. */
  hasOlder: boolean;
  /** After a jump, the window may end before the newest message. */
  hasNewer: boolean;
  /** False while the thread shows skeletons. */
  isLoaded: boolean;
  /** Missing messages are being fetched. */
  isGapLoading: boolean;
  /** A page could not be loaded; the list shows Retry. */
  loadError: boolean;
  unreadCount: number;
  /** Position of the "New messages" line, fixed when the thread opens. */
  firstUnreadSeq: number | null;
  /** Message for preview and order, including unsent ones. */
  lastMessage: ThreadMessage | null;
  isFriendTyping: boolean;
}

export interface FriendEntry {
  friend: Friend;
  isOnline: boolean;
  /** When the offline friend was last online (ISO); `null` if it is unknown. */
  lastSeenAt: string | null;
  /** An unsent draft exists. */
  hasDraft: boolean;
  /** The user has muted this thread: its unread messages do not count in the tab title, and nothing announces them. */
  isMuted: boolean;
  /** This friend has added the user, who has not answered yet. */
  hasNotice: boolean;
  thread: Thread;
}

/** Data of the views at one moment. Unchanged parts keep their identity. */
export interface ChatSnapshot {
  status: LoadStatus;
  /** The server has not responded yet; this is what the device stores. */
  isFromDevice: boolean;
  user: User;
  /** Newest message first, friends without messages last; a just-added friend is first. */
  friends: readonly FriendEntry[];
  /** The open thread, or `null`. */
  active: FriendEntry | null;
  connection: Connection;
  /** Reason of the server for the state of the connection, if any. */
  connectionReason: string | null;
  /** Without muted threads. */
  totalUnread: number;
  /** The screen offers to turn notifications on. */
  offersNotifications: boolean;
  /** Message to scroll to and highlight. */
  jump: Jump | null;
}

/** Actions of the views. The functions keep their identity while the provider is mounted. */
export interface ChatActions {
  retryLoad(): void;
  /** Navigates to /home/:friendId or /home. */
  openThread(friendId: string | null): void;
  sendMessage(threadId: string, text: string): void;
  retryMessage(key: string): void;
  /** Deletes an unsent message. Returns false if it is being sent by now, in which case it stays. */
  deleteMessage(key: string): boolean;
  loadOlder(threadId: string): Promise<void>;
  loadNewer(threadId: string): Promise<void>;
  /** Opens the thread of a message, loads a window around the message and sets `jump`. */
  jumpToMessage(message: MessageReference): Promise<void>;
  jumpToLatest(threadId: string): void;
  /** Returns matches in all threads or in one, newest first. Rejects with ApiError. */
  searchMessages(
    text: string,
    before: Message | null,
    signal: AbortSignal,
    threadId?: string,
  ): Promise<SearchPage<Message>>;
  /** Returns users by name, without the user and friends. Rejects with ApiError. */
  searchUsers(text: string, after: User | null, signal: AbortSignal): Promise<SearchPage<User>>;
  /** Opens the new friend's thread. Rejects with ApiError; show its serverMessage unchanged. */
  addFriend(user: User): Promise<void>;
  /** Ends the friendship for both and closes its thread; `block` also prevents a new one. Rejects with ApiError. */
  endFriendship(friendId: string, how: "unfriend" | "block"): Promise<void>;
  /** Rejects with ApiError. */
  mute(friendId: string, isMuted: boolean): Promise<void>;
  /** Removes the notice that this friend has added the user. */
  answerNotice(friendId: string): void;
  /** Returns the people whom the user has blocked. Rejects with ApiError. */
  listBlocked(): Promise<User[]>;
  /** Rejects with ApiError. */
  unblock(userId: string): Promise<void>;
  /** Rejects with ApiError. */
  getPrivacy(): Promise<Privacy>;
  /** Rejects with ApiError. */
  changePrivacy(privacy: Privacy): Promise<void>;
  /** Rejects with ApiError. */
  changeAvatar(avatarId: AvatarId): Promise<void>;
  /** Rejects with ApiError. */
  changeName(name: string): Promise<void>;
  /** Returns the user with the date of the registration. Rejects with ApiError. */
  getProfile(): Promise<Profile>;
  /** Returns all data of the user as a file. `onProgress` gets shares from 0 to 1. Rejects with ApiError. */
  downloadData(onProgress: (share: number) => void, signal: AbortSignal): Promise<Blob>;
  /** Deletes the account and leaves the chat. Rejects with ApiError, in which case nothing is deleted. */
  deleteAccount(password: string, texts: DeletedTexts): Promise<void>;
  logOut(): void;
  /** Returns the user's sessions. Rejects with ApiError. */
  listSessions(): Promise<SessionInfo[]>;
  /** Rejects with ApiError. */
  endSession(sessionId: string): Promise<void>;
  /** Ends all sessions, including this one. Rejects with ApiError, in which case no session ends. */
  logOutEverywhere(): Promise<void>;
  /** Ends all other sessions. Rejects with ApiError. */
  changePassword(current: string, next: string): Promise<void>;
  /** Returns what the user has chosen about notifications in this browser. */
  notificationSettings(): NotificationSettings;
  /** Changes the settings and answers the offer to turn notifications on. */
  changeNotifications(change: Partial<NotificationSettings>): void;
  /** Unsent drafts, kept per user and thread. */
  draftOf(threadId: string): string;
  saveDraft(threadId: string, text: string): void;
  /** Sets whether another view covers the open thread; messages are then not marked read. */
  setCovered(isCovered: boolean): void;
  /** Tries to connect without waiting for the next attempt. */
  reconnect(): void;
  /** Call on every input; it is throttled. */
  notifyTyping(threadId: string): void;
}

export interface Chat extends ChatSnapshot, ChatActions {}
