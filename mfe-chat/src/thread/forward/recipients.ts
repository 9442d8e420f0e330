import { isDeleted } from "@messageoh/contracts/avatars";
import type { ListedFriend } from "@messageoh/contracts/users";
import type { ChatState } from "../../state/chatState.ts";
import { friendThreads } from "../../state/friendList.ts";

/** Returns the friends who can be written to, in the order of the list of friends. */
export const recipients = (state: ChatState): ListedFriend[] =>
  friendThreads(state).flatMap(({ friendId }) => {
    const friend = state.friends.get(friendId);
    return friend && !isDeleted(friend) ? friend : [];
  });
