import { setTimeout as pause } from "node:timers/promises";
import { endpoint } from "@messageoh/contracts/endpoint";
import pino from "pino";
import * as v from "valibot";
import { silentLogger } from "../../testing/datastores.ts";
import { serveForTest } from "../../testing/http.ts";
import { until } from "../../testing/until.ts";
import { createHttpApp } from "./httpApp.ts";
import { internalHeaders } from "./internal.ts";
import { type Peer, waitForPeers } from "./peers.ts";
import { createRoutes } from "./routes.ts";

const SECRET = "a secret of sixteen characters";
const response = v.object({});
const old = endpoint({ method: "GET", path: "/internal/things/:id", response });
const added = endpoint({ method: "POST", path: "/internal/things", response });

const ends: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

/** Serves a peer and returns its URL. */
async function aPeer(serves = [old, added], secret = SECRET): Promise<string> {
  const { app, router } = createHttpApp({ logger: silentLogger, isReady: () => true });
  const limitOf = () => ({ take: () => undefined });
  const findSession = async () => null;
  const routes = createRoutes({ router, logger: silentLogger, internalSecret: secret, findSession, limitOf });
  for (const one of serves) routes.internal(one, () => ({}));
  const service = await serveForTest(app.callback());
  ends.push(service.close);
  return service.url;
}

/** Calls the peer at a URL that may change. */
function callAt(at: { url: string }): Peer["call"] {
  return async ({ method, path }) => {
    const response = await fetch(at.url + path, { method, headers: internalHeaders(SECRET)() });
    if (!response.ok) throw Object.assign(new Error("Call failed"), { status: response.status });
    return (await response.json()) as { calls: string[] };
  };
}

/** Waits for peers, and collects the log lines. */
function waitingFor(urls: Record<string, string>) {
  const logged: { peer: string; reason: string; msg: string }[] = [];
  const logger = pino({}, { write: (line) => logged.push(JSON.parse(line)) });
  const places = Object.entries(urls).map(([name, url]) => ({ name, url }));
  const state = { isReady: false };
  const done = waitForPeers(
    places.map((place) => ({ name: place.name, call: callAt(place), needs: [old, added] })),
    logger,
  ).then(() => {
    state.isReady = true;
  });
  return { places, logged, state, done };
}

it("resolves without a log line if every peer serves all needed endpoints", async () => {
  const { logged, done } = waitingFor({ one: await aPeer(), other: await aPeer() });
  await done;
  expect(logged).toEqual([]);
});

it("waits for a peer that is not usable, logs each reason once, and resolves when the last peer is usable", async () => {
  const { places, logged, state, done } = waitingFor({
    "wrong-url": "http://127.0.0.1:1",
    "wrong-secret": await aPeer([old, added], "another secret of this length"),
    "older-release": await aPeer([old]),
    usable: await aPeer(),
  });
  await until(() => logged.length >= 3);
  // Long enough for two more attempts.
  await pause(1_100);
  expect(Object.fromEntries(logged.map(({ peer, reason }) => [peer, reason]))).toEqual({
    "wrong-url": "it cannot be reached: check its URL",
    "wrong-secret": "it responded 404: INTERNAL_SECRET differs, or it runs an older release",
    "older-release": "it does not serve POST /internal/things: it runs another release",
  });
  expect(logged).toHaveLength(3);
  for (const place of places) {
    await pause(600);
    expect(state.isReady).toBe(false);
    place.url = await aPeer();
    if (place.name === "older-release") break;
  }
  await done;
});
