/** Who may try a call. The owner is the user whom it names; a service knows the shared secret and has no session. */
export const CALLERS = ["nobody", "expired", "revoked", "stranger", "friend", "owner", "service"] as const;
export type Caller = (typeof CALLERS)[number];

/** The status that each caller gets. */
export type Answers = Record<Caller, number>;

const NO_SESSION = { nobody: 401, expired: 401, revoked: 401, service: 401 };
export const FOR_ANYONE: Answers = everyone(200);
export const FOR_ANY_SESSION: Answers = { ...NO_SESSION, stranger: 200, friend: 200, owner: 200 };
/** For both members of a thread. */
export const FOR_FRIENDS: Answers = { ...NO_SESSION, stranger: 403, friend: 200, owner: 200 };
export const FOR_THE_OWNER: Answers = { ...NO_SESSION, stranger: 403, friend: 403, owner: 200 };
/** To anyone else it does not exist. */
export const FOR_SERVICES: Answers = { ...everyone(404), service: 200 };

function everyone(status: number): Answers {
  return Object.fromEntries(CALLERS.map((caller) => [caller, status])) as Answers;
}

/** The status that a call ended with: 200 only for an answer that fits the contract. */
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
