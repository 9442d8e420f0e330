import type { AvatarId } from "@messageoh/contracts/avatars";
import type { Message } from "@messageoh/contracts/messages";
import type { Friend, SessionInfo, User } from "@messageoh/contracts/users";
import type { Connection, Jump, LoadStatus } from "../state/chatState.ts";

export type SendState = "sending" | "sent" | "delivered" | "read" | "not-sent";

export interface ThreadMessage {
  /** Stable from first paint to ack: the client's id for own messages, the stored id for others. */
  key: string;
  /** The server's id; the client's time stamp until the message is stored. */
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
  /** What the server said when it refused the message. */
  notSentReason?: string;
}

export interface SearchPage<Item> {
  items: readonly Item[];
  /** Where the next page begins; `null` at the end. */
  last: Item | null;
}

export interface Thread {
  threadId: string;
  friendParticipantId: string;
  /** The shown window, ascending; own unsent ones last; none with an empty text. */
  messages: readonly ThreadMessage[];
  /** There is more history before the window. */
  hasOlder: boolean;
  /** After a jump the window may end before the newest message. */
  hasNewer: boolean;
  /** False: show skeletons. */
  isLoaded: boolean;
  /** Missing numbers are being fetched. */
  isGapLoading: boolean;
  /** A page could not be loaded: a row with Retry. */
  loadError: boolean;
  unreadCount: number;
  /** Frozen when the thread is opened: where the "New messages" line stands. */
  firstUnreadSeq: number | null;
  /** Preview and order, unsent included. */
  lastMessage: ThreadMessage | null;
  isFriendTyping: boolean;
}

export interface FriendEntry {
  friend: Friend;
  isOnline: boolean;
  /** Something is written to this friend and not sent. */
  hasDraft: boolean;
  thread: Thread;
}

/** What the views show, as of one moment. Parts that did not change keep their identity from one moment to the next. */
export interface ChatSnapshot {
  status: LoadStatus;
  user: User;
  /** Newest message first, those without messages last; a just-added friend on top. */
  friends: readonly FriendEntry[];
  /** The open thread. */
  active: FriendEntry | null;
  connection: Connection;
  /** Why it is so, when the server gave a reason. */
  connectionReason: string | null;
  totalUnread: number;
  /** Scroll there and highlight it. */
  jump: Jump | null;
}

/** What the views do. The same functions for the provider's whole life. */
export interface ChatActions {
  retryLoad(): void;
  /** Goes to /home/:friendId or /home. */
  openThread(friendId: string | null): void;
  sendMessage(threadId: string, text: string): void;
  retryMessage(key: string): void;
  /** Only a message that was not sent. */
  deleteMessage(key: string): void;
  loadOlder(threadId: string): Promise<void>;
  loadNewer(threadId: string): Promise<void>;
  /** Opens its thread, loads a window around it and sets `jump`. */
  jumpToMessage(message: Message): Promise<void>;
  jumpToLatest(threadId: string): void;
  /** The newest first. Rejects with ApiError. */
  searchMessages(text: string, before: Message | null, signal: AbortSignal): Promise<SearchPage<Message>>;
  /** Users who are neither the user nor a friend, by name. Rejects with ApiError. */
  searchUsers(text: string, after: User | null, signal: AbortSignal): Promise<SearchPage<User>>;
  /** Opens the new friend's thread. Rejects with ApiError, its serverMessage to be shown as it is. */
  addFriend(user: User): Promise<void>;
  /** Rejects with ApiError. */
  changeAvatar(avatarId: AvatarId): Promise<void>;
  logOut(): void;
  /** Where the user is logged in. Rejects with ApiError. */
  listSessions(): Promise<SessionInfo[]>;
  /** Rejects with ApiError. */
  endSession(sessionId: string): Promise<void>;
  /** Ends this session with all others. Rejects with ApiError: then all are as they were. */
  logOutEverywhere(): Promise<void>;
  /** Ends all other sessions. Rejects with ApiError. */
  changePassword(current: string, next: string): Promise<void>;
  /** What was typed and not sent, kept per user and thread. */
  draftOf(threadId: string): string;
  saveDraft(threadId: string, text: string): void;
  /** Something fills the window before the open thread: nobody reads what arrives there. */
  setCovered(isCovered: boolean): void;
  /** To be called on every input; throttled inside. */
  notifyTyping(threadId: string): void;
}

export interface Chat extends ChatSnapshot, ChatActions {}
