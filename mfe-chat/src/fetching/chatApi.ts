import type { AvatarId } from "@messageoh/contracts/avatars";
import { API_BASE, ApiError, type Call, createClient, type Send } from "@messageoh/contracts/client";
import { FIRST_PAGE_MESSAGES, PAGE_MAX_MESSAGES, USER_LIST_MAX } from "@messageoh/contracts/limits";
import {
  listMessages,
  listThreads,
  type Message,
  type ThreadState,
  updateMessageRead,
} from "@messageoh/contracts/messages";
import type { ListedFriend, Privacy, Profile, SessionInfo, User } from "@messageoh/contracts/users";
import * as users from "@messageoh/contracts/users";
import * as z from "zod/mini";
import { downloadData } from "./downloadData.ts";

const USER_SEARCH_LIMIT = 100;

/** Range of a thread's history, ascending. Without a bound, the newest messages. */
export interface Page {
  before?: number;
  after?: number;
  limit?: number;
}

/** A change of what the user has set for a friend. A notice can only be answered. */
export interface FriendChange {
  is_muted?: boolean;
  has_notice?: false;
}

/** HTTP calls of the chat. Each rejects with ApiError. */
export interface ChatApi {
  friends(): Promise<ListedFriend[]>;
  /** Returns the newest message of each thread. */
  previews(): Promise<Message[]>;
  threads(): Promise<ThreadState[]>;
  page(threadId: string, page: Page): Promise<Message[]>;
  /**
   * Returns at most {@link PAGE_LIMIT} matches, newest first; `before` is the last match of the previous page. With a
   * thread id, only messages of that thread.
   */
  searchMessages(text: string, before: Message | null, signal: AbortSignal, threadId?: string): Promise<Message[]>;
  /** Returns users by name; `after` is the last user of the previous page. */
  searchUsers(text: string, after: User | null, signal: AbortSignal): Promise<{ users: User[]; hasMore: boolean }>;
  markRead(threadId: string, seq: number): Promise<void>;
  addFriend(friendId: string): Promise<{ threadId: string }>;
  unfriend(friendId: string): Promise<void>;
  changeFriend(friendId: string, change: FriendChange): Promise<void>;
  /** Returns the people whom the user has blocked, by name. */
  blocked(): Promise<User[]>;
  block(userId: string): Promise<void>;
  unblock(userId: string): Promise<void>;
  privacy(): Promise<Privacy>;
  changePrivacy(privacy: Privacy): Promise<void>;
  changeAvatar(avatarId: AvatarId): Promise<User>;
  changeName(name: string): Promise<User>;
  profile(): Promise<Profile>;
  /** Returns all data of the user as a JSON file. */
  download(onProgress: (share: number) => void, signal: AbortSignal): Promise<Blob>;
  /** Returns the sessions, last used first. */
  sessions(): Promise<SessionInfo[]>;
  endSession(sessionId: string): Promise<void>;
  /** Ends all sessions, including this one. */
  endSessions(): Promise<void>;
  deleteAccount(password: string, texts: users.DeletedTexts): Promise<void>;
  changePassword(current: string, next: string): Promise<void>;
  logOut(): Promise<void>;
  /** Returns false only if the server says that the session has ended. */
  isSessionValid(): Promise<boolean>;
}

export interface ChatApiOptions {
  userId: string;
  /** The server rejected the session (401). */
  onUnauthorised: () => void;
  send?: Send;
  call?: Call;
}

/** The specification does not define the result, so any result is a success. */
const MARK_READ = { ...updateMessageRead, response: z.unknown() };

export const MISSING_RANGE_LIMIT = PAGE_MAX_MESSAGES;
export const PAGE_LIMIT = FIRST_PAGE_MESSAGES;

export function createChatApi({
  userId,
  onUnauthorised,
  send,
  call = createClient({ baseUrl: API_BASE, send }),
}: ChatApiOptions): ChatApi {
  // A network failure has status 0 and says nothing about the session.
  const request: Call = async (endpoint, input) => {
    try {
      return await call(endpoint, input);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) onUnauthorised();
      throw error;
    }
  };
  const params = { user_id: userId };

  return {
    friends: () => request(users.listFriends, { params }),
    previews: () => request(listMessages, { params, query: { limit: 1 } }),
    threads: () => request(listThreads, { params }),
    page: (thread_id, { before, after, limit = PAGE_LIMIT }) =>
      request(listMessages, { params, query: { thread_id, before_seq: before, after_seq: after, limit } }),
    searchMessages: (search, before, signal, thread_id) =>
      request(listMessages, { params, query: { search, thread_id, before_id: before?.id, limit: PAGE_LIMIT }, signal }),
    async searchUsers(search, last, signal) {
      const after = last?.name;
      const isAll = search.trim() === "";
      const query = isAll ? { after } : { search, after, limit: USER_SEARCH_LIMIT };
      const found = await request(users.listUsers, { query, signal });
      return { users: found, hasMore: found.length >= (isAll ? USER_LIST_MAX : USER_SEARCH_LIMIT) };
    },
    async markRead(thread_id, seq) {
      await request(MARK_READ, { body: { thread_id, seq } });
    },
    async addFriend(friend_id) {
      const added = await request(users.addFriend, { body: { user_id: userId, friend_id } });
      return { threadId: added.thread_id };
    },
    async unfriend(other_id) {
      await request(users.unfriend, { params: { ...params, other_id } });
    },
    async changeFriend(other_id, change) {
      await request(users.changeFriend, { params: { ...params, other_id }, body: change });
    },
    blocked: () => request(users.listBlocked, { params }),
    async block(other_id) {
      await request(users.block, { params: { ...params, other_id } });
    },
    async unblock(other_id) {
      await request(users.unblock, { params: { ...params, other_id } });
    },
    privacy: () => request(users.getPrivacy, { params }),
    async changePrivacy(privacy) {
      await request(users.changePrivacy, { params, body: privacy });
    },
    changeAvatar: (avatar_id) => request(users.changeAvatar, { params, body: { avatar_id } }),
    changeName: (name) => request(users.changeName, { params, body: { name } }),
    profile: () => request(users.getProfile, { params }),
    async download(onProgress, signal) {
      try {
        return await downloadData({ userId, onProgress, signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) onUnauthorised();
        throw error;
      }
    },
    sessions: () => request(users.listSessions, { params }),
    async endSession(session_id) {
      await request(users.endSession, { params: { user_id: userId, session_id } });
    },
    async endSessions() {
      await request(users.endSessions, { params });
    },
    async changePassword(old_password, new_password) {
      await request(users.changePassword, { params, body: { old_password, new_password } });
    },
    async deleteAccount(password, texts) {
      await request(users.deleteAccount, { params, body: { password, texts } });
    },
    async logOut() {
      await request(users.logOut);
    },
    async isSessionValid() {
      try {
        await request(users.getUser, { params });
        return true;
      } catch (error) {
        return !(error instanceof ApiError && (error.status === 401 || error.status === 403));
      }
    },
  };
}
