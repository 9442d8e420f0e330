import type { Session } from "@messageoh/contracts/users";
import type { createRoutes } from "@messageoh/service-kit/routes";
import type { createSharedQuota } from "@messageoh/service-kit/sharedQuota";
import type { Locker } from "@tus/server";
import type { IsAttached } from "./access/attached.ts";
import type { FindReadable } from "./access/findReadable.ts";
import type { Members } from "./access/members.ts";
import type { ExportFiles } from "./downloads/exportFiles.ts";
import type { createCopy } from "./media/copy.ts";
import type { Media } from "./media/media.model.ts";
import type { Remove } from "./media/remove.ts";
import type { Processing } from "./processing/processing.ts";
import type { Limits } from "./rateLimits.ts";
import type { Storage } from "./storage/storage.ts";

/** Dependencies of the routes. */
export interface Deps {
  copy: ReturnType<typeof createCopy>;
  dailyBytes: ReturnType<typeof createSharedQuota>;
  exportFiles: ExportFiles;
  findReadable: FindReadable;
  isAttached: IsAttached;
  limits: Limits;
  locks: Locker;
  media: Media;
  members: Members;
  processing: Processing;
  remove: Remove;
  /** Counts bytes of a new upload, and resolves with whether the installation has space for them. */
  reserveBytes: (bytes: number) => Promise<boolean>;
  storage: Storage;
}
export type MediaRoutes = ReturnType<typeof createRoutes<Session>>;
