import { once } from "node:events";
import { connect } from "node:net";
import { endpoint } from "@messageoh/contracts/endpoint";
import * as v from "valibot";
import { silentLogger } from "../../testing/datastores.ts";
import { serveForTest } from "../../testing/http.ts";
import { until } from "../../testing/until.ts";
import { createLocalRateLimit } from "../limits/rateLimit.ts";
import { createHttpApp } from "./httpApp.ts";
import { createRoutes } from "./routes.ts";

const slow = endpoint({ method: "GET", path: "/slow", response: v.object({}) });

it("tells a handler when the client has closed the request", async () => {
  const { app, router } = createHttpApp({ logger: silentLogger, isReady: () => true });
  const routes = createRoutes({
    router,
    logger: silentLogger,
    internalSecret: "a secret of sixteen characters",
    findSession: async () => null,
    limitOf: () => ({ take: () => undefined }),
  });
  const handled = Promise.withResolvers<() => boolean>();
  const responded = Promise.withResolvers<Record<string, never>>();
  routes.open(slow, ({ isGone, ctx }) => {
    ctx.req.socket.once("close", () => responded.resolve({}));
    handled.resolve(isGone);
    return responded.promise;
  });
  const service = await serveForTest(app.callback());
  try {
    const client = connect(Number(new URL(service.url).port), "127.0.0.1");
    client.write("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const isGone = await handled.promise;
    expect(isGone()).toBe(false);
    client.destroy();
    await once(client, "close");
    await responded.promise;
    expect(isGone()).toBe(true);
  } finally {
    await service.close();
  }
});

it("looks up no session for a repeated refusal, which still names the time that is left", async () => {
  const { app, router } = createHttpApp({ logger: silentLogger, isReady: () => true });
  const session = { session_id: "s", user: { id: "ann", name: "Ann", avatar_id: "fox-id" } };
  const findSession = jest.fn(async () => session as typeof session | null);
  const limit = createLocalRateLimit({ name: "test", rate: { count: 1, seconds: 3_600 }, text: "Too much" });
  const internalSecret = "a secret of sixteen characters";
  const routes = createRoutes({ router, logger: silentLogger, internalSecret, findSession, limitOf: () => limit });
  routes.signedIn(slow, () => ({}));
  const service = await serveForTest(app.callback());
  const call = () => service.call("/slow", { cookie: "messageoh_session=token" });
  const secondsOf = ({ headers }: Awaited<ReturnType<typeof call>>) => Number(headers.get("retry-after"));
  try {
    expect((await call()).status).toBe(200);
    const refusals = [await call(), await call(), await call()];
    expect(refusals.map(({ status }) => status)).toEqual([429, 429, 429]);
    expect(findSession).toHaveBeenCalledTimes(2);
    await until(async () => secondsOf(await call()) < secondsOf(refusals[0] as (typeof refusals)[0]));
    findSession.mockResolvedValue(null);
    await until(async () => (await call()).status === 401);
  } finally {
    await service.close();
  }
});
