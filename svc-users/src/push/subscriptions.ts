import { retryDuplicates } from "@messageoh/service-kit/mongo";
import type { PushRow, SessionRow, Sessions } from "../sessions/session.model.ts";

/** Sessions of one user that get push notifications: the most recently used ones. */
const SUBSCRIPTIONS_PER_USER_MAX = 20;
/** Attempts to set a subscription. Another session may set the same endpoint before each of them. */
const ATTEMPTS_MAX = 5;

/** A session with a subscription. */
export type Subscriber = Required<Pick<SessionRow, "_id" | "user_id" | "push">>;
export type Subscriptions = ReturnType<typeof createSubscriptions>;

const FIELDS = { user_id: 1, push: 1 } as const;

/**
 * Creates the access to push subscriptions. Each is a part of its session's document: the update that ends the session
 * removes it.
 */
export function createSubscriptions({ model, active }: Sessions) {
  const remove = (filter: object) => model.updateMany(filter, { $unset: { push: 1 } });

  return {
    find: async (user_id: string, public_id: string): Promise<PushRow | undefined> =>
      (await model.findOne({ ...active(), user_id, public_id }, FIELDS).lean<Subscriber>())?.push,

    /** Gives a subscription to a session. The session that had the endpoint before loses it, whosever it is. */
    async set(user_id: string, public_id: string, push: PushRow): Promise<void> {
      await retryDuplicates(ATTEMPTS_MAX, async () => {
        await remove({ "push.endpoint": push.endpoint, public_id: { $ne: public_id } });
        await model.updateOne({ ...active(), user_id, public_id }, { $set: { push } });
      });
      const surplus = await model
        .find({ user_id, push: { $exists: true }, public_id: { $ne: public_id } }, { _id: 1 })
        .sort({ last_used_at: -1 })
        .skip(SUBSCRIPTIONS_PER_USER_MAX - 1)
        .lean<Pick<SessionRow, "_id">[]>();
      if (surplus.length > 0) await remove({ _id: { $in: surplus.map(({ _id }) => _id) } });
    },

    clear: async (user_id: string, public_id: string): Promise<void> => {
      await remove({ user_id, public_id });
    },

    /** Returns the active sessions of these users that have a subscription. */
    ofUsers: (userIds: readonly string[]): Promise<Subscriber[]> =>
      model.find({ ...active(), user_id: { $in: userIds }, push: { $exists: true } }, FIELDS).lean<Subscriber[]>(),

    /** Returns whether a session is active and still has its subscription. */
    isCurrent: async ({ _id, push }: Subscriber): Promise<boolean> =>
      (await model.exists({ ...active(), _id, "push.endpoint": push.endpoint })) !== null,

    /** Removes a subscription that its push service does not know any more. */
    drop: async ({ _id, push }: Subscriber): Promise<void> => {
      await remove({ _id, "push.endpoint": push.endpoint });
    },
  };
}
