import type { Call } from "@messageoh/contracts/client";
import { createHttpApp } from "@messageoh/service-kit/httpApp";
import type { Logger } from "@messageoh/service-kit/logger";
import type { PublicAddresses } from "@messageoh/service-kit/publicAddresses";
import type { Redis } from "@messageoh/service-kit/redis";
import { createRoutes } from "@messageoh/service-kit/routes";
import { createSessionCache } from "@messageoh/service-kit/sessionCache";
import { createSharedQuota } from "@messageoh/service-kit/sharedQuota";
import type { Connection } from "mongoose";
import { createFindReadable } from "./access/findReadable.ts";
import { createIsAttached } from "./access/isAttached.ts";
import { createMembers } from "./access/members.ts";
import { createCleanup } from "./cleanup/cleanup.ts";
import type { Deps } from "./deps.ts";
import { createExportFiles } from "./downloads/exportFiles.ts";
import { internalRoutes } from "./internal.routes.ts";
import { createCopy } from "./media/copy.ts";
import { createMedia } from "./media/media.model.ts";
import { createRemove } from "./media/remove.ts";
import { createStorageQuota } from "./media/storageQuota.ts";
import { createUsedSpace } from "./media/usedSpace.ts";
import { mediaRoutes } from "./media.routes.ts";
import { createFetchPublic } from "./previews/fetchPublic.ts";
import { createLinkPreviews } from "./previews/linkPreviews.ts";
import { createScan } from "./processing/clamd.ts";
import { createExamine } from "./processing/examine.ts";
import { createPictureMaker } from "./processing/pictures.ts";
import { createProcessing } from "./processing/processing.ts";
import { createLimits, type LimitRates } from "./rateLimits.ts";
import type { Storage } from "./storage/storage.ts";
import { createUploadLocks } from "./uploads/locks.ts";
import { uploadRoutes } from "./uploads/upload.routes.ts";

export interface AppOptions {
  connection: Connection;
  redis: Redis;
  storage: Storage;
  callUsers: Call;
  callMessages: Call;
  logger: Logger;
  internalSecret: string;
  rates: LimitRates;
  /** Bytes of all files. */
  totalMaxBytes: number;
  clamdUrl?: string | undefined;
  /** Which addresses link previews may lead to. */
  pageAddresses: PublicAddresses;
  isReady: () => boolean;
}

/** Creates the HTTP app of the service: creates the indexes and mounts the routes. It does not listen. */
export async function createApp({
  connection,
  redis,
  storage,
  callUsers,
  callMessages,
  logger,
  internalSecret,
  rates,
  totalMaxBytes,
  clamdUrl,
  pageAddresses,
  isReady,
}: AppOptions) {
  const media = await createMedia(connection);
  const sessions = createSessionCache(callUsers);
  const limits = createLimits(rates);
  const { app, router } = createHttpApp({ logger, isReady });
  const routes = createRoutes({ router, logger, internalSecret, findSession: sessions.find, limitOf: limits.of });
  const members = createMembers(callUsers);
  const isAttached = createIsAttached(callMessages);
  const remove = createRemove(media, storage, logger);
  const pictures = createPictureMaker();
  const examine = createExamine({ storage, pictures, scan: clamdUrl === undefined ? undefined : createScan(clamdUrl) });
  const processing = createProcessing({ media, storage, examine, logger });
  const dailyBytes = createSharedQuota({ redis, name: "media_bytes", rate: rates.bytes });
  const { takeSpace, giveBackSpace } = await createStorageQuota({ media, dailyBytes, totalMaxBytes });
  const deps: Deps = {
    createLinkPreview: createLinkPreviews({
      fetchPublic: createFetchPublic(pageAddresses),
      media,
      processing,
      storage,
      takeSpace,
      logger,
    }),
    copy: createCopy({ media, storage, takeSpace }),
    exportFiles: createExportFiles({ media, members, isAttached, storage, logger }),
    findReadable: createFindReadable(media, members, isAttached),
    giveBackSpace,
    isAttached,
    limits,
    locks: createUploadLocks(redis),
    media,
    members,
    processing,
    remove,
    storage,
    takeSpace,
    usedSpace: createUsedSpace({ media, callMessages }),
  };
  // First, because the paths of uploads have the form of other paths.
  uploadRoutes(routes, deps);
  mediaRoutes(routes, deps);
  internalRoutes(routes, deps);
  return {
    app,
    sessions,
    pictures,
    forgetFriendships: members.forget,
    processing,
    cleanup: createCleanup({ media, isAttached, remove, logger }),
    flush: dailyBytes.flush,
  };
}
