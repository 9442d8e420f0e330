import { listMessages, listThreads } from "@messageoh/contracts/messages";
import { listFriends } from "@messageoh/contracts/users";

/** The calls of {@link createChat} that load the chat. The shell makes them while the scripts of the chat load. */
export const FIRST_CALLS = [listFriends.path, `${listMessages.path}?limit=1`, listThreads.path];
