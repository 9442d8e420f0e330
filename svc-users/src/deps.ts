import type { Session } from "@messageoh/contracts/users";
import type { createRoutes } from "@messageoh/service-kit/routes";
import type { createPasswordCheck } from "./checkPassword.ts";
import type { Devices } from "./deviceCookie.ts";
import type { Events } from "./events.ts";
import type { FriendshipModel } from "./friendship.model.ts";
import type { Passwords } from "./password.ts";
import type { Limits } from "./rateLimits.ts";
import type { Sessions } from "./session.model.ts";
import type { UserModel } from "./user.model.ts";

/** What the routes work with. */
export interface Deps {
  users: UserModel;
  friendships: FriendshipModel;
  sessions: Sessions;
  devices: Devices;
  passwords: Passwords;
  limits: Limits;
  checkPassword: ReturnType<typeof createPasswordCheck>;
  events: Events;
  findSession: (token: string | undefined) => Promise<Session | null>;
}
export type UserRoutes = ReturnType<typeof createRoutes<Session>>;
