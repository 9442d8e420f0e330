import { startingMessage } from "@messageoh/contracts/messages";
import { newMessageThread } from "@messageoh/contracts/realtime";
import type { User } from "@messageoh/contracts/users";
import type { ChatApi } from "../fetching/chatApi.ts";
import type { Realtime } from "../realtime/realtime.ts";
import type { Store } from "../state/store.ts";

export interface FriendActionsOptions {
  api: ChatApi;
  store: Store;
  realtime: Realtime;
}

/** Returns the actions that change friendships. All but `answerNotice` reject with ApiError. */
export function createFriendActions({ api, store, realtime }: FriendActionsOptions) {
  return {
    /** Adds a friend. Show the `serverMessage` of a failure unchanged. */
    async add(found: User): Promise<void> {
      const { thread_id } = await api.addFriend(found.id);
      const { me, friends } = store.get();
      // The server's event may be earlier than its response, and newer than the search result.
      const friend = friends.get(found.id) ?? found;
      store.dispatch({ type: "friendAdded", friend, threadId: thread_id, isOnTop: true });
      const thread = { thread_id, created_at: new Date().toISOString() };
      realtime.addFriend(friend.id, newMessageThread(startingMessage(thread, me.id, friend.id), me));
    },
    /** Ends the friendship for both and closes its thread; `block` also prevents a new one. */
    async end(friendId: string, how: "unfriend" | "block"): Promise<void> {
      await (how === "block" ? api.block(friendId) : api.unfriend(friendId));
      store.dispatch({ type: "friendRemoved", friendId });
    },
    async mute(friendId: string, is_muted: boolean): Promise<void> {
      await api.changeFriend(friendId, { is_muted });
      store.dispatch({ type: "friendChanged", friendId, change: { is_muted } });
    },
    /** Removes the notice that this friend has added the user. */
    answerNotice(friendId: string): void {
      store.dispatch({ type: "friendChanged", friendId, change: { has_notice: false } });
      // If the call fails, the next page shows the notice again.
      api.changeFriend(friendId, { has_notice: false }).catch((error: unknown) => {
        console.warn("The notice could not be answered", error);
      });
    },
  };
}
