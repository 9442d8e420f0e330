import type { AvatarId } from "@messageoh/contracts/avatars";
import type { DeletedTexts, User } from "@messageoh/contracts/users";
import type { ChatApi } from "../fetching/chatApi.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { PendingQueue } from "../pending/pendingQueue.ts";
import type { Session } from "../session.ts";
import type { Store } from "../state/store.ts";
import type { DraftActions } from "./drafts.ts";

export interface AccountActionsOptions {
  api: ChatApi;
  store: Store;
  drafts: Pick<DraftActions, "wipe">;
  outbox: Outbox;
  pending: Pick<PendingQueue, "wipe">;
  session: Session;
  onUserChanged: (user: User) => void;
}

/** Returns the actions that change the user's account. All but `logOut` reject with ApiError. */
export function createAccountActions(options: AccountActionsOptions) {
  const { api, store, drafts, outbox, pending, session, onUserChanged } = options;

  function showUser(user: User): void {
    store.dispatch({ type: "userChanged", user });
    onUserChanged(user);
  }

  /** Leaves the chat, without the drafts: another person may use this browser next. */
  function leave(call?: Promise<unknown>): void {
    // In this order: a thread without a pending draft stores that of the server.
    pending.wipe("draft");
    drafts.wipe();
    session.end(undefined, call);
  }

  return {
    changeAvatar: async (avatarId: AvatarId) => showUser(await api.changeAvatar(avatarId)),
    changeName: async (name: string) => showUser(await api.changeName(name)),
    logOut(): void {
      // Log out locally even if the server is slow or unreachable.
      const call = api.logOut();
      call.catch((error: unknown) => console.warn("The session could not be ended", error));
      leave(call);
    },
    /** Ends all sessions, including this one. If it fails, no session ends. */
    async logOutEverywhere(): Promise<void> {
      await session.leaveWith(api.endSessions());
      leave();
    },
    /** Deletes the account and leaves the chat. If it fails, nothing is deleted. */
    async delete(password: string, texts: DeletedTexts): Promise<void> {
      await session.leaveWith(api.deleteAccount(password, texts));
      outbox.wipe();
      pending.wipe();
      leave();
    },
  };
}
