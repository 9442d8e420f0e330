import type { MessagesEvent, UserEvent } from "@messageoh/contracts/bus";
import { ApiError, type Call } from "@messageoh/contracts/client";
import type { Message } from "@messageoh/contracts/messages";
import type { FakeUsers } from "@messageoh/contracts/testing/fakeUsers";
import { createPosition } from "@messageoh/service-kit/position";
import type { Publish } from "@messageoh/service-kit/publish";
import { openTestDatabase, silentLogger } from "@messageoh/service-kit/testing/datastores";
import { serveForTest } from "@messageoh/service-kit/testing/http";
import type { Connection } from "mongoose";
import { createApp } from "../src/app.ts";
import type { LimitRates } from "../src/rateLimits.ts";
import { generousLimits } from "./rateLimits.ts";

export const TEST_SECRET = "a secret of sixteen characters";
/** The headers of another service. */
export const internal = { "x-internal-secret": TEST_SECRET };
/** The cookie of a user's session; see FakeUsers. */
export const as = (name: string) => ({ cookie: `messageoh_session=TOKEN-${name}` });

export interface TestOptions {
  /** Calls svc-media; without it, each call fails. */
  callMedia?: Call;
  publish?: Publish;
  rates?: Partial<LimitRates>;
  /** A connection that stays open when this service is closed. */
  connection?: Connection;
  deletionSettleMs?: number;
  /** Connections for the reads of users; they stay open too. */
  reads?: Connection;
}
export type TestService = Awaited<ReturnType<typeof serveMessages>>;

/** The result of a stored message; a test knows which fields it has. */
interface StoreResult {
  message: Message;
  error?: string;
  retry?: true;
}

/** An svc-media that cannot be reached. */
const noMedia: Call = () => Promise.reject(new ApiError(0));

/** Returns a `publish` whose events have no subscriber, and the list of the events. */
export function recordPublished() {
  const published: (readonly [channel: string, event: UserEvent | MessagesEvent])[] = [];
  const publish: Publish = async (events) => {
    published.push(...(events as unknown as typeof published));
    return new Set();
  };
  return { published, publish };
}

/** Starts the service on a free port, with its own database. Limits that are not in `rates` are never reached. */
export async function serveMessages(
  users: FakeUsers,
  {
    callMedia = noMedia,
    publish = async () => new Set(),
    rates,
    connection: given,
    reads,
    deletionSettleMs = 0,
  }: TestOptions = {},
) {
  const own = given ? undefined : await openTestDatabase();
  const connection = given ?? (own as NonNullable<typeof own>).connection;
  const { app, sessions, streams, forgetThread, deletions } = await createApp({
    connection,
    reads,
    position: createPosition("messages"),
    publish,
    callUsers: users.call,
    callMedia,
    logger: silentLogger,
    internalSecret: TEST_SECRET,
    limits: generousLimits(rates),
    isReady: () => true,
    deletionSettleMs,
  });
  const service = await serveForTest(app.callback());
  const { drain } = streams(service.server);
  return {
    ...service,
    /** Stores messages. */
    store: (...messages: unknown[]) =>
      service.call<{ results: StoreResult[] }>("/internal/messages", {
        method: "POST",
        body: { messages },
        headers: internal,
      }),
    drain,
    connection,
    sessions,
    forgetThread,
    deletions,
    async close() {
      await drain();
      await service.close();
      await own?.drop();
    },
  };
}
