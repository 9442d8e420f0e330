import type { Call } from "@messageoh/contracts/client";
import type { Session } from "@messageoh/contracts/users";
import type { createRoutes } from "@messageoh/service-kit/routes";
import type { MoveBatch, MoveMarker } from "./markers/moveMarkers.ts";
import type { Limits } from "./rateLimits.ts";
import type { DataExport } from "./reading/dataExport.ts";
import type { History } from "./reading/history.ts";
import type { Store } from "./storing/store.ts";
import type { Members } from "./threads/members.ts";
import type { Threads } from "./threads/thread.model.ts";

/** Dependencies of the routes. */
export interface Deps {
  callUsers: Call;
  exportParts: DataExport;
  history: History;
  limits: Limits;
  members: Members;
  moveBatch: MoveBatch;
  moveMarker: MoveMarker;
  store: Store;
  threads: Threads;
}
export type MessageRoutes = ReturnType<typeof createRoutes<Session>>;
