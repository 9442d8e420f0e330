import type { Session } from "@messageoh/contracts/users";
import type { createRoutes } from "@messageoh/service-kit/routes";
import type { History } from "./history.ts";
import type { Members } from "./members.ts";
import type { MoveMarker } from "./moveMarker.ts";
import type { Write } from "./writer.ts";

/** What the routes work with. */
export interface Deps {
  history: History;
  members: Members;
  moveMarker: MoveMarker;
  write: Write;
}
export type MessageRoutes = ReturnType<typeof createRoutes<Session>>;
