// Limits that several parts check; those of files are in attachments.ts. Each name contains the unit.
export const NAME_MAX_CHARACTERS = 30;
/** Characters of a name as it was typed: with the white space around it, or one that is older than the rules. */
export const NAME_INPUT_MAX_CHARACTERS = 200;
export const PASSWORD_MIN_CHARACTERS = 8;
/** bcrypt ignores the bytes after these, so longer passwords are rejected. */
export const PASSWORD_MAX_BYTES = 72;
export const TEXT_MAX_CHARACTERS = 4000;
/** Time after which a message cannot be edited any more, in hours. */
export const EDIT_MAX_HOURS = 24;
/** Edits of one message. */
export const EDITS_MAX = 10;
/** Messages of one thread that a user can hide from themselves. */
export const HIDDEN_MAX = 1_000;
/** Friends to whom a user forwards messages at once. */
export const FORWARD_MAX_FRIENDS = 5;
/** Highest number of hops that a forwarded message counts. */
export const HOPS_MAX = 5;
/** Pinned messages of one thread. */
export const PINNED_MAX = 3;
/** Messages that one user can star. */
export const STARRED_MAX = 1_000;
/** Newest messages of each thread in the response of `GET /messages/{userId}` without a range. */
export const FIRST_PAGE_MESSAGES = 50;
/** Messages in one page of a thread. */
export const PAGE_MAX_MESSAGES = 200;
/**
 * Messages in one response of `listMissedMessages`. If a response is full, the next request starts at its last message.
 */
export const MISSED_MAX_MESSAGES = 300;
/** Users, and ranges of ids, in one `listMissedMessages` call. */
export const MISSED_MAX_USERS = 2_000;
export const MISSED_MAX_RANGES = 100;
export const USER_LIST_MAX = 1000;
export const FRIENDS_MAX = 1000;
/** People whom one user can block. */
export const BLOCKED_MAX = 1000;
/** Characters of a message in a push notification. */
export const PUSH_TEXT_MAX_CHARACTERS = 200;
/** Messages in one `requestPushes` call. */
export const PUSH_BATCH_MAX = 200;
/** Messages in one insert. */
export const BATCH_MAX_MESSAGES = 256;
/** Largest accepted difference between a client's timestamp and the server's clock. */
export const CLOCK_TOLERANCE_MS = 60_000;
/** Largest body of a call that the gateway passes on, and largest frame of a socket. */
export const BODY_MAX_BYTES = 100_000;
