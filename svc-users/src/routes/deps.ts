import type { Session } from "@messageoh/contracts/internal/users";
import type { FairQueue } from "@messageoh/service-kit/fairQueue";
import type { Events } from "../events.ts";
import type { FriendshipModel } from "../friends/friendship.model.ts";
import type { createPasswordCheck } from "../passwords/checkPassword.ts";
import type { Passwords } from "../passwords/passwords.ts";
import type { Push } from "../push/push.ts";
import type { Devices } from "../sessions/deviceCookie.ts";
import type { Sessions } from "../sessions/session.model.ts";
import type { UserModel } from "../users/user.model.ts";

/** Dependencies of the routes. */
export interface Deps {
  users: UserModel;
  friendships: FriendshipModel;
  sessions: Sessions;
  devices: Devices;
  passwords: Passwords;
  push: Push;
  /** Queue of lists that read up to 2,000 documents. */
  lists: FairQueue;
  checkPassword: ReturnType<typeof createPasswordCheck>;
  events: Events;
  /** Returns the session of an active user for each token, or `null`. */
  findSessions: (tokens: readonly string[]) => Promise<(Session | null)[]>;
}
