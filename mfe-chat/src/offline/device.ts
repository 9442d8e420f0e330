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
  /** The newest messages that this device has seen, ascending. Numbers may be missing between them. */
  messages: readonly Message[];
}

/** Data of a user on the device. */
export interface StoredChat {
  friends: readonly ListedFriend[];
  threads: readonly StoredThread[];
}

/** Storage for what the chat shows without a network. */
export interface Device {
  /** Returns `null` if nothing is stored, or something of another user. */
  read: () => Promise<StoredChat | null>;
  /**
   * Stores the friends and the changed threads, with the stored messages that they lack, and removes all threads that are
   * not in `keptIds`.
   */
  save: (
    friends: readonly ListedFriend[],
    changed: readonly StoredThread[],
    keptIds: ReadonlySet<string>,
  ) => Promise<void>;
}
