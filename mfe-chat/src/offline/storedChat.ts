import type { Message } from "@messageoh/contracts/messages";
import type { ListedFriend } from "@messageoh/contracts/users";

/** Data of one thread on the device. */
export interface StoredThread {
  threadId: string;
  friendId: string;
  readSeq: number;
  friendReadSeq: number;
  friendDeliveredSeq: number;
  unread: number;
  /** The messages are in their state at this change of the thread, or a newer one. The previous release stored none. */
  knownChange?: number;
  /** Numbers of the starred messages. The previous release stored none. */
  starred?: readonly number[];
  /** The pinned and the newest messages that this device has seen, ascending. Numbers may be missing between them. */
  messages: readonly Message[];
}

/** Data of a user on the device. */
export interface StoredChat {
  friends: readonly ListedFriend[];
  threads: readonly StoredThread[];
}
