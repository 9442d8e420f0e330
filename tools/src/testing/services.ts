import { randomBytes } from "node:crypto";
import { datastoreUrl } from "@messageoh/service-kit/testing/datastores";
import { repoRoot } from "@messageoh/stack/command/root";
import { freePort } from "@messageoh/stack/ports";
import { temporarySupervisor } from "@messageoh/stack/processes/temporarySupervisor";
import { serviceParts } from "@messageoh/stack/services";

/** URLs of services that run as processes on the test datastores. */
export type TestServices = {
  users: string[];
  messages: string[];
  realtime: string[];
  media: string[];
  secret: string;
  stop: () => Promise<void>;
};

/**
 * Starts svc-users, svc-messages and instances of svc-realtime; resolves when all are ready.
 * @param env settings of all services
 */
export async function startTestServices(
  realtimeInstances: number,
  env: Record<string, string> = {},
): Promise<TestServices> {
  const mongoUrl = datastoreUrl("MONGO");
  const { dir, supervisor, stop } = await temporarySupervisor("services");
  const secret = randomBytes(16).toString("hex");
  const context = {
    root: repoRoot(),
    dataDir: dir,
    mongoUrls: { "svc-users": mongoUrl, "svc-messages": mongoUrl, "svc-media": mongoUrl },
    redisUrl: datastoreUrl("REDIS"),
    secret,
    portFor: () => freePort(),
    raisesLimits: true,
  };
  const { users, messages, realtime, media } = await serviceParts(context, {
    users: 1,
    messages: 1,
    realtime: realtimeInstances,
    media: 1,
  });
  const parts = [...users, ...messages, ...realtime, ...media];
  await Promise.all(parts.map((part) => supervisor.start({ ...part, env: { ...part.env, ...env } })));
  const addresses = (parts: typeof users) => parts.map(({ port }) => `http://127.0.0.1:${port}`);
  return {
    users: addresses(users),
    messages: addresses(messages),
    realtime: addresses(realtime),
    media: addresses(media),
    secret,
    stop,
  };
}
