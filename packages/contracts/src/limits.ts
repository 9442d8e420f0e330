/** Rules that more than one part checks. Numbers carry their unit in their name. */
export const NAME_MAX_CHARACTERS = 30;
export const PASSWORD_MIN_CHARACTERS = 8;
/** bcrypt reads no further than this; a longer password is refused, never cut. */
export const PASSWORD_MAX_BYTES = 72;
export const TEXT_MAX_CHARACTERS = 4000;
/** Newest messages of each thread that `GET /messages/{userId}` answers when no range is asked for. */
export const FIRST_PAGE_MESSAGES = 50;
export const PAGE_MAX_MESSAGES = 200;
/** Messages of one answer to "what was stored since then?". A full answer means: ask on from its last. */
export const RECENT_MAX_MESSAGES = 300;
export const USER_LIST_MAX = 1000;
export const FRIENDS_MAX = 1000;
/** Messages in one `storeMessages` call. */
export const BATCH_MAX_MESSAGES = 256;
/** A client's time stamp counts only this close to the server's clock. */
export const CLOCK_TOLERANCE_MS = 60_000;
export const BODY_MAX_BYTES = 100_000;
