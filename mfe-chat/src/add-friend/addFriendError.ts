import { ApiError } from "@messageoh/contracts/client";
import { FRIEND_NOT_ADDED } from "@messageoh/contracts/errorTexts";

/** What the overlay says when a friend could not be added: the server's own text where there is one. */
export function addFriendError(error: unknown): string {
  return (error instanceof ApiError && error.serverMessage) || FRIEND_NOT_ADDED;
}
