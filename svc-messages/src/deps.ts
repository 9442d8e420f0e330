import type { Call } from "@messageoh/contracts/client";
import type { Position } from "@messageoh/service-kit/position";
import type { ChangeRow } from "./changes/changeRow.ts";
import type { Marks } from "./changes/marks.model.ts";
import type { Markers } from "./markers/marker.model.ts";
import type { MoveMarker, StoreReceipt } from "./markers/moveMarkers.ts";
import type { Events } from "./messages/events.ts";
import type { Messages } from "./messages/message.model.ts";
import type { Limits } from "./rateLimits.ts";
import type { AttachedPage } from "./reading/attachedPage.ts";
import type { DataExport } from "./reading/dataExport.ts";
import type { History } from "./reading/history.ts";
import type { createListAttached } from "./reading/listAttached.ts";
import type { ListBetween } from "./reading/listBetween.ts";
import type { ListMissed } from "./reading/missedMessages.ts";
import type { Search } from "./reading/search.ts";
import type { SearchBlocks } from "./reading/searchBlock.model.ts";
import type { ThreadStates } from "./reading/threadStates.ts";
import type { Store } from "./storing/store.ts";
import type { Members } from "./threads/members.ts";
import type { Threads } from "./threads/thread.model.ts";

/** Dependencies of the routes. */
export interface Deps {
  attachedPage: AttachedPage;
  blocks: SearchBlocks;
  callUsers: Call;
  changeRow: ChangeRow;
  events: Events;
  exportParts: DataExport;
  history: History;
  listAttached: ReturnType<typeof createListAttached>;
  listBetween: ListBetween;
  listMissed: ListMissed;
  limits: Limits;
  markers: Markers;
  marks: Marks;
  members: Members;
  messages: Messages;
  /** For queries that name no thread. */
  allMessages: Messages;
  moveMarker: MoveMarker;
  storeReceipt: StoreReceipt;
  position: Position;
  search: Search;
  store: Store;
  threads: Threads;
  threadStates: ThreadStates;
}
