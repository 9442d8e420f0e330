import type { Session } from "@messageoh/contracts/users";
import type { createRoutes } from "@messageoh/service-kit/routes";
import type { Events } from "./events.ts";
import type { FriendshipModel } from "./friendship.model.ts";
import type { Limits } from "./limits.ts";
import type { Passwords } from "./password.ts";
import type { Sessions } from "./session.model.ts";
import type { UserModel } from "./user.model.ts";

/** What the routes work with. */
export interface Deps {
  users: UserModel;
  friendships: FriendshipModel;
  sessions: Sessions;
  passwords: Passwords;
  limits: Limits;
  events: Events;
  findSession: (token: string | undefined) => Promise<Session | null>;
}
export type UserRoutes = ReturnType<typeof createRoutes<Session>>;
