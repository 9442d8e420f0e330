import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listAttached } from "@messageoh/contracts/internal/messages";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import type { FakeUsers } from "@messageoh/contracts/testing/fakeUsers";
import { createPublicAddresses, type Resolve } from "@messageoh/service-kit/publicAddresses";
import { connectRedis } from "@messageoh/service-kit/redis";
import { datastoreUrl, openTestDatabase, silentLogger } from "@messageoh/service-kit/testing/datastores";
import { serveForTest } from "@messageoh/service-kit/testing/http";
import type { Connection } from "mongoose";
import { createApp } from "../src/app.ts";
import type { MediaRow } from "../src/media/media.model.ts";
import { type LimitRates, RATE_LIMITS } from "../src/rateLimits.ts";
import { createFolderStorage } from "../src/storage/folder.ts";
import type { Storage } from "../src/storage/storage.ts";

export const TEST_SECRET = "a secret of sixteen characters";
const PLENTY = { count: 1_000_000_000_000, seconds: 1 };

export interface TestOptions {
  rates?: Partial<LimitRates>;
  totalMaxBytes?: number;
  clamdUrl?: string;
  /** Hosts whose pages can be loaded although they are internal, and the addresses of others. */
  pages?: { allowedHosts: string[]; resolve: Resolve };
  /** A storage instead of an own folder. */
  storage?: Storage;
  /** A connection that stays open when this service is closed. */
  connection?: Connection;
}
export type TestService = Awaited<ReturnType<typeof serveMedia>>;

/** A fake svc-messages. `attached` holds the ids of the files that messages contain. */
export class FakeMessages {
  readonly attached = new Set<string>();
  isDown = false;
  /** Delays the responses. */
  beforeResponse: () => Promise<void> = async () => undefined;
  readonly call = createFakeCall([
    route(listAttached, async ({ body }) => {
      await this.beforeResponse();
      if (this.isDown) throw new Error("svc-messages is down");
      const attached = body.media.map(({ media_id }) => media_id).filter((id) => this.attached.has(id));
      return { attached, seqs: Object.fromEntries(attached.map((id) => [id, [...this.attached].indexOf(id) + 1])) };
    }),
  ]);
}

/**
 * Starts the service on a free port, with its own database and folder. Limits that are not in `rates` are never
 * reached.
 */
export async function serveMedia(users: FakeUsers, options: TestOptions = {}) {
  const { rates, totalMaxBytes = Number.MAX_SAFE_INTEGER, clamdUrl, pages } = options;
  const own = options.connection ? undefined : await openTestDatabase();
  const connection = options.connection ?? (own as NonNullable<typeof own>).connection;
  const folder = await mkdtemp(join(tmpdir(), "messageoh-media-test-"));
  const storage = options.storage ?? createFolderStorage(folder);
  await storage.prepare();
  const redis = connectRedis(datastoreUrl("REDIS"), silentLogger, "test");
  await new Promise<void>((resolve) => redis.once("ready", () => resolve()));
  const messages = new FakeMessages();
  const plenty = Object.fromEntries(Object.keys(RATE_LIMITS).map((name) => [name, PLENTY])) as LimitRates;
  const { app, processing, pictures, ...rest } = await createApp({
    connection,
    redis,
    storage,
    callUsers: users.call,
    callMessages: messages.call,
    logger: silentLogger,
    internalSecret: TEST_SECRET,
    rates: { ...plenty, ...rates },
    totalMaxBytes,
    clamdUrl,
    pageAddresses: createPublicAddresses({ protocols: ["http:", "https:"], allowedHosts: [], ...pages }),
    isReady: () => true,
  });
  processing.start();
  const service = await serveForTest(app.callback());
  return {
    ...service,
    ...rest,
    connection,
    folder,
    storage,
    messages,
    pictures,
    media: connection.getClient().db(connection.name).collection<MediaRow>("media"),
    async close() {
      await service.close();
      await processing.close();
      pictures.close();
      redis.disconnect();
      await own?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
