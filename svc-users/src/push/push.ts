import type { PushRequest } from "@messageoh/contracts/internal/users";
import { PUSH_TEXT_MAX_CHARACTERS } from "@messageoh/contracts/limits";
import type { PushPayload, PushState } from "@messageoh/contracts/push";
import type { Logger } from "@messageoh/service-kit/logger";
import { createPublicAddresses, type Resolve } from "@messageoh/service-kit/publicAddresses";
import type { FriendshipModel, FriendshipRow } from "../friends/friendship.model.ts";
import type { PushRow, Sessions } from "../sessions/session.model.ts";
import type { UserModel, UserRow } from "../users/user.model.ts";
import { createDelivery } from "./delivery.ts";
import { createPost, isUsableKey } from "./post.ts";
import { createSubscriptions, type Subscriber } from "./subscriptions.ts";
import { publicKeyOf } from "./vapid.ts";

export interface PushOptions {
  /** VAPID key; `null` turns push notifications off. */
  privateKey: Buffer | null;
  /** Contact of the operator, as a `mailto:` or `https:` URL. */
  subject: string;
  /** Hosts whose addresses need not be public. */
  allowedHosts: readonly string[];
  /** Certificate authority of these hosts, if it is not a public one. */
  ca?: string;
  resolve?: Resolve;
  /** Time before the first retry, in milliseconds. */
  retryMs?: number;
}

export interface PushDeps {
  users: UserModel;
  friendships: FriendshipModel;
  sessions: Sessions;
  logger: Logger;
}
export type Push = ReturnType<typeof createPush>;

/** Creates the push notifications of all sessions: who has which subscription, and what is sent to it. */
export function createPush({ users, friendships, sessions, logger }: PushDeps, options: PushOptions) {
  const { privateKey, subject, allowedHosts, ca, resolve, retryMs } = options;
  const endpoints = createPublicAddresses({ protocols: ["https:"], allowedHosts, resolve });
  const subscriptions = createSubscriptions(sessions);
  const public_key = privateKey && publicKeyOf(privateKey);
  const delivery = privateKey && createDelivery({ post: postWith(privateKey), subscriptions, retryMs, logger });

  function postWith(key: Buffer) {
    const vapid = { subject, publicKey: publicKeyOf(key), privateKey: key.toString("base64url") };
    return createPost({ vapid, endpoints, ca });
  }

  const stateOf = (push: PushRow | undefined): PushState => ({
    public_key,
    is_on: public_key !== null && push !== undefined,
    shows_text: push?.shows_text ?? false,
  });

  /** Returns the senders' names, for those requests that the recipient has not muted and whose users are friends. */
  async function findWanted(requests: readonly PushRequest[]) {
    const threads = await friendships
      .find({ _id: { $in: requests.map(({ thread_id }) => thread_id) } })
      .lean<FriendshipRow[]>();
    const threadOf = new Map(threads.map((row) => [row._id, row]));
    const wanted = requests.filter(({ thread_id, recipient_user_id, sending_user_id }) => {
      const thread = threadOf.get(thread_id);
      const members: readonly string[] = thread?.user_ids ?? [];
      const isMuted = thread?.muted_by?.includes(recipient_user_id) ?? false;
      return members.includes(recipient_user_id) && members.includes(sending_user_id) && !isMuted;
    });
    const ids = wanted.flatMap(({ recipient_user_id, sending_user_id }) => [recipient_user_id, sending_user_id]);
    const rows = await users.find({ _id: { $in: ids } }, { name: 1, suspended_at: 1, deleted_at: 1 }).lean<UserRow[]>();
    const userOf = new Map(rows.map((row) => [row._id, row]));
    return wanted.flatMap((request) => {
      const [recipient, sender] = [userOf.get(request.recipient_user_id), userOf.get(request.sending_user_id)];
      const isActive = recipient && !recipient.suspended_at && !recipient.deleted_at;
      return isActive && sender ? [{ request, name: sender.name }] : [];
    });
  }

  return {
    isOn: delivery !== null,

    find: async (userId: string, sessionId: string): Promise<PushState> =>
      stateOf(await subscriptions.find(userId, sessionId)),

    /** Returns whether a subscription has valid keys and leads to a public push service. */
    isAllowed: async ({ endpoint, p256dh, auth }: PushRow): Promise<boolean> =>
      isUsableKey(p256dh, auth) && (await endpoints.isAllowed(endpoint)),

    async subscribe(userId: string, sessionId: string, push: PushRow): Promise<PushState> {
      await subscriptions.set(userId, sessionId, push);
      return stateOf(push);
    },

    async unsubscribe(userId: string, sessionId: string): Promise<PushState> {
      await subscriptions.clear(userId, sessionId);
      return stateOf(undefined);
    },

    /** Starts to notify the recipients of messages. Resolves when the notifications wait to be sent. */
    async send(requests: readonly PushRequest[]): Promise<void> {
      if (!delivery) return;
      const subscribers = await subscriptions.ofUsers([
        ...new Set(requests.map((request) => request.recipient_user_id)),
      ]);
      if (subscribers.length === 0) return;
      const ofUser = Map.groupBy(subscribers, ({ user_id }) => user_id);
      const reached = requests.filter(({ recipient_user_id }) => ofUser.has(recipient_user_id));
      for (const { request, name } of await findWanted(reached)) {
        const isWanted = async () => (await findWanted([request])).length > 0;
        for (const subscriber of ofUser.get(request.recipient_user_id) ?? [])
          delivery.add(subscriber, payloadFor(subscriber, request, name), isWanted);
      }
    },

    /** Waits for notifications that are being sent, and drops the others. */
    async close(): Promise<void> {
      await delivery?.close();
    },
  };
}

function payloadFor(
  { push }: Subscriber,
  { recipient_user_id, thread_id, sending_user_id, text }: PushRequest,
  name: string,
): PushPayload {
  const beginning = text.slice(0, 2 * PUSH_TEXT_MAX_CHARACTERS);
  const thread = { user_id: recipient_user_id, thread_id, friend_id: sending_user_id };
  return { ...thread, name, ...(push.shows_text && { text: beginning }) };
}
