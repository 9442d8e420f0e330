import { once } from "node:events";
import { connect } from "node:net";
import { endpoint } from "@messageoh/contracts/endpoint";
import * as v from "valibot";
import { silentLogger } from "../../testing/datastores.ts";
import { serveForTest } from "../../testing/http.ts";
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
