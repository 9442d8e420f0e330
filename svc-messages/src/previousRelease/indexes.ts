/**
 * Returns whether a key is that of the unique index of the previous release, by which a client id belongs to one thread. The
 * index stays in a database of that release until an operator drops it; see docs/operations.md.
 */
export const isOldIndex = (keyPattern: object = {}): boolean => Object.keys(keyPattern).join() === OLD_KEY;

const OLD_KEY = "sending_user_id,client_id";
