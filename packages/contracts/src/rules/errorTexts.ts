// Error texts that several parts use word for word.
export const GENERIC_ERROR = "Something went wrong with your request";
export const MISSING_FIELDS = "Please fill in or select all required fields";
export const PASSWORD_TOO_SHORT = "Password needs at least 8 characters";
export const FRIEND_NOT_ADDED = "Friend could not be added";
/** Response to a call or event that concerns something of others. */
export const NOT_YOURS = "This is not yours";
/** Shown when a user exceeds the send rate. */
export const SENDING_TOO_FAST = "You are sending too fast. Your messages are sent one after another";
/** Shown when a user exceeds the daily volume of messages. */
export const SENT_ENOUGH_TODAY = "You have reached the daily limit for messages. Please try again tomorrow";
/** Shown when a user exceeds the rate limit of another event. */
export const TOO_FAST = "Too many requests. Please wait a moment";
export const TOO_MANY_CONNECTIONS = "Too many connections from your network, please close some";
export const TOO_MANY_TABS = "Messageoh is open too many times, please close some tabs";
/** A part of the system is overloaded or not reachable. The client keeps the message and sends it again later. */
export const BUSY = "The service is busy, please try again";
/** Shown when a message was changed on another device meanwhile. */
export const CHANGED_MEANWHILE = "This message was changed on another device";
/** Shown when a message was deleted before a change of it arrived. */
export const MESSAGE_DELETED = "This message was deleted";
/** Shown for a message to a friend who has deleted the account. */
export const ACCOUNT_DELETED = "This account was deleted";
