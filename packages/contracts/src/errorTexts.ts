/** The texts of the error catalogue that both ends use word for word. */
export const GENERIC_ERROR = "Something went wrong with your request";
export const MISSING_FIELDS = "Please fill in or select all required fields";
export const PASSWORD_TOO_SHORT = "Password needs at least 8 characters";
export const FRIEND_NOT_ADDED = "Friend could not be added";
/** Answer of a full or waiting part of the system: the sender keeps the message and tries later. */
export const BUSY = "The service is busy, please try again";
