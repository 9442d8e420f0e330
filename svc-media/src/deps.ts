import type { Locker } from "@tus/server";
import type { FindReadable } from "./access/findReadable.ts";
import type { IsAttached } from "./access/isAttached.ts";
import type { Members } from "./access/members.ts";
import type { ExportFiles } from "./downloads/exportFiles.ts";
import type { createCopy } from "./media/copy.ts";
import type { Media } from "./media/media.model.ts";
import type { Remove } from "./media/remove.ts";
import type { StorageQuota } from "./media/storageQuota.ts";
import type { createUsedSpace } from "./media/usedSpace.ts";
import type { CreateLinkPreview } from "./previews/linkPreviews.ts";
import type { Processing } from "./processing/processing.ts";
import type { Limits } from "./rateLimits.ts";
import type { Storage } from "./storage/storage.ts";

/** Dependencies of the routes. */
export interface Deps {
  copy: ReturnType<typeof createCopy>;
  createLinkPreview: CreateLinkPreview;
  exportFiles: ExportFiles;
  findReadable: FindReadable;
  giveBackSpace: StorageQuota["giveBackSpace"];
  isAttached: IsAttached;
  limits: Limits;
  locks: Locker;
  media: Media;
  members: Members;
  processing: Processing;
  remove: Remove;
  storage: Storage;
  takeSpace: StorageQuota["takeSpace"];
  usedSpace: ReturnType<typeof createUsedSpace>;
}
