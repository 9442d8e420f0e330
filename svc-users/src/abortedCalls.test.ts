import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { readMetric } from "@messageoh/service-kit/testing/metrics";
import { until } from "@messageoh/service-kit/testing/until";
import { PASSWORD, registerUser, serveUsers, type TestService, type TestUser } from "../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await serveUsers({ failedLogins: { count: 5, seconds: 900 } }, { cost: 8, atOnce: 1 });
});
afterAll(() => service.close());

/** Sends a request and closes the connection after a time in milliseconds. */
async function abort({ cookie }: TestUser, method: string, path: string, body: string, afterMs: number): Promise<void> {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1").on("error", () => {});
  const headers = `Host: localhost\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  socket.write(`${method} ${path} HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
  await pause(afterMs);
  socket.resetAndDestroy();
  await once(socket, "close");
}

it.each([
  ["log-in", "POST", () => "/login"],
  ["password change", "POST", ({ id }: TestUser) => `/users/${id}/password`],
  ["search", "GET", () => "/users?search=a"],
  ["list of friends", "GET", ({ id }: TestUser) => `/friends/${id}`],
  ["list of blocked people", "GET", ({ id }: TestUser) => `/users/${id}/blocked`],
])("frees the place of a %s that its client aborts, at any time", async (_, method, pathOf) => {
  const user = await registerUser(service);
  const body = { name: user.name, password: PASSWORD, old_password: PASSWORD, new_password: PASSWORD };
  const path = pathOf(user);
  const sent = method === "GET" ? "" : JSON.stringify(body);
  // More calls than one user may have waiting.
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: 12 }, (_, ms) => abort(user, method, path, sent, ms)));
  }
  const again = () => service.call(path, { method, cookie: user.cookie, ...(method === "POST" && { body }) });
  await until(async () => (await again()).status === 200);
  expect(await readMetric(service.url, "messageoh_users_hashing_queue_depth")).toBe(0);
});
