/** Kinds of callers. The owner is the user whom a call names; a service has the shared secret and no session. */
export const CALLERS = ["nobody", "expired", "revoked", "stranger", "friend", "owner", "service"] as const;
export type Caller = (typeof CALLERS)[number];

/** HTTP status for each kind of caller. */
export type Answers = Record<Caller, number>;

const NO_SESSION = { nobody: 401, expired: 401, revoked: 401, service: 401 };
/** Statuses of a call without access rules. */
export const FOR_ANYONE: Answers = everyone(200);
/** Statuses of a call for every user who is signed in. */
export const FOR_ANY_SESSION: Answers = { ...NO_SESSION, stranger: 200, friend: 200, owner: 200 };
/** Statuses of a call for both members of a thread. */
export const FOR_FRIENDS: Answers = { ...NO_SESSION, stranger: 403, friend: 200, owner: 200 };
/** Statuses of a call for the user whom it names. */
export const FOR_THE_OWNER: Answers = { ...NO_SESSION, stranger: 403, friend: 403, owner: 200 };
/** Statuses of a call for other services; other callers get 404. */
export const FOR_SERVICES: Answers = { ...everyone(404), service: 200 };

function everyone(status: number): Answers {
  return Object.fromEntries(CALLERS.map((caller) => [caller, status])) as Answers;
}

/** Returns the status of a call: 200 only for a response that conforms to the contract. Rejects with other errors. */
export async function statusOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
    return 200;
  } catch (error) {
    const { status } = error as { status?: number };
    if (status === undefined) throw error;
    return status;
  }
}
