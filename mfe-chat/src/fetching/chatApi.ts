import type { AvatarId } from "@messageoh/contracts/avatars";
import * as changes from "@messageoh/contracts/changes";
import { API_BASE, ApiError, type Call, createClient, type Send } from "@messageoh/contracts/client";
import * as invites from "@messageoh/contracts/invites";
import { FIRST_PAGE_MESSAGES, PAGE_MAX_MESSAGES, USER_LIST_MAX } from "@messageoh/contracts/limits";
import { listMessages, listThreads, type Message, updateMessageRead } from "@messageoh/contracts/messages";
import type { Privacy, User } from "@messageoh/contracts/users";
import * as users from "@messageoh/contracts/users";
import * as v from "valibot";
import type { PendingChange, Stored } from "../pending/pendingChange.ts";
import type { DownloadOptions } from "./downloadData.ts";

const USER_SEARCH_LIMIT = 100;

/** Range of a thread's history, ascending. Without a bound, the newest messages. */
export interface Page {
  before?: number;
  after?: number;
  limit?: number;
}

export interface SearchPage<Item> {
  items: readonly Item[];
  /** Start of the next page; `null` at the end. */
  last: Item | null;
}

/** Returns a page of messages. Fewer than {@link PAGE_LIMIT} are the last page. */
export const pageOf = (items: readonly Message[]): SearchPage<Message> => ({
  items,
  last: items.length >= PAGE_LIMIT ? (items.at(-1) ?? null) : null,
});

/** A change of what the user has set for a friend. A notice can only be answered. */
interface FriendChange {
  is_muted?: boolean;
  has_notice?: false;
}

export interface ChatApiOptions {
  userId: string;
  /** The server rejected the session (401). */
  onUnauthorised: () => void;
  send?: Send;
  call?: Call;
}

/** The specification does not define the result, so any result is a success. */
const MARK_READ = { ...updateMessageRead, response: v.unknown() };

export const PAGE_LIMIT = FIRST_PAGE_MESSAGES;

export type ChatApi = ReturnType<typeof createChatApi>;

/** Returns the HTTP calls of the chat. Each rejects with ApiError. */
export function createChatApi(options: ChatApiOptions) {
  const { userId, onUnauthorised, send, call = createClient({ baseUrl: API_BASE, send }) } = options;

  // A network failure has status 0 and says nothing about the session.
  async function watched<Result>(result: Promise<Result>): Promise<Result> {
    try {
      return await result;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) onUnauthorised();
      throw error;
    }
  }
  const request: Call = (endpoint, input) => watched(call(endpoint, input));
  const params = { user_id: userId };
  const ofMessage = (thread_id: string, seq: number) => ({ ...params, thread_id, seq });
  const withOther = (other_id: string) => ({ ...params, other_id });

  return {
    friends: () => request(users.listFriends, { params }),
    /** Returns the newest message of each thread. */
    previews: () => request(listMessages, { params, query: { limit: 1 } }),
    threads: () => request(listThreads, { params }),
    page: (thread_id: string, { before, after, limit = PAGE_LIMIT }: Page) =>
      request(listMessages, { params, query: { thread_id, before_seq: before, after_seq: after, limit } }),
    /** Returns the messages of a thread that changed after a change, ascending by their latest change. */
    changes: (thread_id: string, after_change: number) =>
      request(listMessages, { params, query: { thread_id, after_change, limit: PAGE_MAX_MESSAGES } }),
    /** Makes a change of a message or a draft. Resolves with what the server has stored. */
    saveChange(change: PendingChange): Promise<Stored> {
      const { thread_id } = change;
      if (change.kind === "draft")
        return request(changes.saveDraft, { params: { ...params, thread_id }, body: { text: change.text } });
      const message = ofMessage(thread_id, change.seq);
      switch (change.kind) {
        case "edit": {
          const { text, op_id, base } = change;
          return request(changes.editMessage, { params: message, body: { text, op_id, base } });
        }
        case "delete":
          return request(changes.deleteMessage, { params: message });
        case "react":
          return request(changes.reactToMessage, { params: message, body: { emoji: change.emoji } });
        case "pin":
          return request(changes.pinMessage, { params: message, body: { pinned: change.pinned } });
        case "hide":
          return request(changes.hideMessage, { params: message, body: { hidden: change.hidden } });
        case "star":
          return request(changes.starMessage, { params: message, body: { starred: change.starred } });
      }
    },
    /** Returns the pinned messages of a thread, ascending. */
    pinned: (thread_id: string) => request(listMessages, { params, query: { thread_id, pinned: "true" } }),
    /**
     * Returns at most {@link PAGE_LIMIT} starred messages of all threads, newest first; `before` is the last one of the
     * previous page.
     */
    starred: (before: Message | null, signal: AbortSignal) =>
      request(changes.listStarred, { params, query: { before_id: before?.id, limit: PAGE_LIMIT }, signal }),
    /** Returns the first message of a thread at or after a time (ISO), if there is one. */
    firstFrom: async (thread_id: string, from: string) =>
      (await request(listMessages, { params, query: { thread_id, from, limit: 1 } })).at(0),
    /** Returns all texts of a message, oldest first. */
    listEdits: (thread_id: string, seq: number) => request(changes.listEdits, { params: ofMessage(thread_id, seq) }),
    /**
     * Returns at most {@link PAGE_LIMIT} matches, newest first; `before` is the last match of the previous page. With a
     * thread id, only messages of that thread.
     */
    searchMessages: (search: string, before: Message | null, signal: AbortSignal, thread_id?: string) =>
      request(listMessages, { params, query: { search, thread_id, before_id: before?.id, limit: PAGE_LIMIT }, signal }),
    /** Returns users by name; `last` is the last user of the previous page. */
    async searchUsers(search: string, last: User | null, signal: AbortSignal) {
      const after = last?.name;
      const isAll = search.trim() === "";
      const query = isAll ? { after } : { search, after, limit: USER_SEARCH_LIMIT };
      const found = await request(users.listUsers, { query, signal });
      return { users: found, hasMore: found.length >= (isAll ? USER_LIST_MAX : USER_SEARCH_LIMIT) };
    },
    /** Makes a call whose description is loaded on demand. */
    call: request,
    /** Lets the server remove an upload. If it fails, the server does so after a day. */
    cancelUpload: (url: string): void =>
      void fetch(url, { method: "DELETE", headers: { "tus-resumable": "1.0.0" } }).catch(() => undefined),
    markRead: (thread_id: string, seq: number) => request(MARK_READ, { body: { thread_id, seq } }),
    addFriend: (friend_id: string) => request(users.addFriend, { body: { user_id: userId, friend_id } }),
    unfriend: (otherId: string) => request(users.unfriend, { params: withOther(otherId) }),
    changeFriend: (otherId: string, change: FriendChange) =>
      request(users.changeFriend, { params: withOther(otherId), body: change }),
    /** Returns the people whom the user has blocked, by name. */
    blocked: () => request(users.listBlocked, { params }),
    block: (otherId: string) => request(users.block, { params: withOther(otherId) }),
    unblock: (otherId: string) => request(users.unblock, { params: withOther(otherId) }),
    privacy: () => request(users.getPrivacy, { params }),
    changePrivacy: (privacy: Privacy) => request(users.changePrivacy, { params, body: privacy }),
    /** Returns the token of the user's link. */
    invite: async () => (await request(invites.getInvite, { params })).token,
    /** Replaces the user's link. Returns its token. */
    renewInvite: async () => (await request(invites.renewInvite, { params })).token,
    /** Returns the user whose link this is. */
    inviter: (token: string) => request(invites.findInviter, { params: { token } }),
    changeAvatar: (avatar_id: AvatarId) => request(users.changeAvatar, { params, body: { avatar_id } }),
    changeName: (name: string) => request(users.changeName, { params, body: { name } }),
    /** Returns the user with the date of the registration. */
    profile: () => request(users.getProfile, { params }),
    /** Resolves with what one of the downloads of `downloadData.ts` returns, which is loaded on demand. */
    download: (load: (options: DownloadOptions) => Promise<Blob>, options: Omit<DownloadOptions, "userId">) =>
      watched(load({ userId, ...options })),
    /** Returns the sessions, last used first. */
    sessions: () => request(users.listSessions, { params }),
    /** Ends a session. That it has already ended is a success too. */
    async endSession(session_id: string): Promise<void> {
      try {
        await request(users.endSession, { params: { ...params, session_id } });
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    },
    /** Ends all sessions, including this one. */
    endSessions: () => request(users.endSessions, { params }),
    /** Ends all other sessions. */
    changePassword: (old_password: string, new_password: string) =>
      request(users.changePassword, { params, body: { old_password, new_password } }),
    deleteAccount: (password: string, texts: users.DeletedTexts) =>
      request(users.deleteAccount, { params, body: { password, texts } }),
    logOut: () => request(users.logOut, { keepalive: true }),
    /** Returns false only if the server says that the session has ended. */
    async isSessionValid(): Promise<boolean> {
      try {
        await request(users.getUser, { params });
        return true;
      } catch (error) {
        return !(error instanceof ApiError && (error.status === 401 || error.status === 403));
      }
    },
  };
}
