import type { Session } from "@messageoh/contracts/users";
import type { createRoutes } from "@messageoh/service-kit/routes";
import type { MoveBatch, MoveMarkers } from "./markers/moveMarkers.ts";
import type { Limits } from "./rateLimits.ts";
import type { History } from "./reading/history.ts";
import type { Store } from "./storing/store.ts";
import type { Members } from "./threads/members.ts";

/** Dependencies of the routes. */
export interface Deps {
  history: History;
  limits: Limits;
  members: Members;
  moveBatch: MoveBatch;
  moveMarkers: MoveMarkers;
  store: Store;
}
export type MessageRoutes = ReturnType<typeof createRoutes<Session>>;
