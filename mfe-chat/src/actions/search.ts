import type { Message } from "@messageoh/contracts/messages";
import type { User } from "@messageoh/contracts/users";
import { type ChatApi, pageOf, type SearchPage } from "../fetching/chatApi.ts";
import type { Offline } from "../offline/createOffline.ts";
import type { Store } from "../state/store.ts";

export interface SearchActionsOptions {
  api: ChatApi;
  store: Store;
  offline: Offline;
}

/** Returns the searches. They reject with ApiError. */
export function createSearchActions({ api, store, offline }: SearchActionsOptions) {
  return {
    /** Returns matches in all threads or in one, newest first. */
    async messages(
      text: string,
      before: Message | null,
      signal: AbortSignal,
      threadId?: string,
    ): Promise<SearchPage<Message>> {
      if (store.get().isFromDevice) return offline.search(text, before, threadId);
      return pageOf(await api.searchMessages(text, before, signal, threadId));
    },
    /** Returns the messages that the user has starred, newest first. */
    starred: async (_: string, before: Message | null, signal: AbortSignal): Promise<SearchPage<Message>> =>
      pageOf(await api.starred(before, signal)),
    /** Returns users by name, without the user and friends. */
    async users(text: string, after: User | null, signal: AbortSignal): Promise<SearchPage<User>> {
      for (let last = after; ; ) {
        const page = await api.searchUsers(text, last, signal);
        const { me, friends } = store.get();
        const items = page.users.filter((user) => user.id !== me.id && !friends.has(user.id));
        last = page.hasMore ? (page.users.at(-1) ?? null) : null;
        // A page with only friends in it does not mean that no users follow.
        if (items.length > 0 || last === null) return { items, last };
      }
    },
  };
}
