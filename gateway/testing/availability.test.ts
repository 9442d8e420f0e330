import type { IncomingMessage } from "node:http";
import { exchange } from "@messageoh/stack/ports";
import { call, FILES, startEcho, startGateway, stopEcho, useGateway } from "./gateway.ts";

const { echoes, request } = useGateway();

it("responds to /healthz with 200 only while users, messages, realtime and media are ready", async () => {
  expect((await request("/healthz")).status).toBe(200);
  for (const group of [[echoes.users], [echoes.messages], [echoes.realtime1, echoes.realtime2], [echoes.media]]) {
    for (const echo of group) echo.ready = false;
    const response = await request("/healthz");
    expect(response.status).toBe(503);
    expect(JSON.parse(response.body)).toEqual({ error: expect.any(String) });
    for (const echo of group) echo.ready = true;
  }
  expect((await request("/healthz")).status).toBe(200);
});

it("refuses log-ins of one address above the burst before they reach a service", async () => {
  const before = echoes.users.seen.length;
  const responses = await Promise.all(
    Array.from({ length: 160 }, () => request("/messageoh/login", { method: "POST" })),
  );
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(echoes.users.seen.length - before).toBe(responses.length - refused.length);
  expect(echoes.users.seen.length - before).toBeGreaterThanOrEqual(100);
  expect(refused[0]?.headers["retry-after"]).toBe("5");
  expect(JSON.parse(refused[0]?.body ?? "")).toEqual({ error: expect.stringContaining("Too many logins") });
  expect((await request("/messageoh/users")).status).toBe(200);
});

it("routes to all instances as soon as they are back after an outage of all of them", async () => {
  const instances = await Promise.all([startEcho("svc-realtime-1"), startEcho("svc-realtime-2")]);
  const upstreams = { users: [echoes.users], messages: [echoes.messages], realtime: instances, media: [echoes.media] };
  const { port, stop } = await startGateway(upstreams, FILES);
  const handshake = "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\n";
  const upgrade = () => exchange(port, `${handshake}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  await Promise.all(instances.map(stopEcho));
  for (let tries = 0; tries < 4; tries += 1) expect(String(await upgrade())).toMatch(/^HTTP\/1.1 502/);
  for (const { server, port: same } of instances) {
    const accept = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    server.on("upgrade", (_, socket) => {
      socket.on("error", () => {}).on("end", () => socket.destroy());
      socket.write(accept);
    });
    await new Promise<void>((resolve) => server.listen(same, "127.0.0.1", resolve));
  }
  const responses = await Promise.all(Array.from({ length: 10 }, upgrade));
  for (const response of responses) expect(String(response)).toMatch(/^HTTP\/1.1 101/);
  await stop();
  await Promise.all(instances.map(stopEcho));
});

it.each(["127.0.0.2", "0.0.0.0", "localhost"])("becomes ready when it listens on %s", async (host) => {
  const { users, messages, realtime1, media } = echoes;
  const upstreams = { users: [users], messages: [messages], realtime: [realtime1], media: [media] };
  const { port, stop } = await startGateway(upstreams, FILES, { host });
  const { status } = await call(port, "/healthz");
  await stop();
  expect(status).toBe(200);
});

it("does not repeat a poll whose response was lost, because the next response lacks the packets of the lost one", async () => {
  const { server, seen } = echoes.realtime1;
  const path = "/socket.io/?EIO=4&transport=polling&sid=svc-realtime-1.abc";
  // nginx repeats a request only if it used a connection of an earlier one. Each worker needs one.
  await Promise.all(Array.from({ length: 40 }, () => request(path)));
  const before = seen.length;
  const loseResponse = ({ socket }: IncomingMessage) => socket.destroy();
  server.prependListener("request", loseResponse);
  const { status } = await request(path);
  server.off("request", loseResponse);
  expect(status).toBe(502);
  expect(seen.length - before).toBe(1);
});

// The last test, because it stops services.
it("skips a stopped instance at the handshake, and responds with a JSON 502 for a stopped service", async () => {
  await stopEcho(echoes.realtime2);
  for (let i = 0; i < 6; i++) {
    const response = await request("/socket.io/?EIO=4&transport=polling");
    expect(JSON.parse(response.body)).toMatchObject({ from: "svc-realtime-1" });
  }
  expect((await request("/socket.io/?sid=svc-realtime-2.abc")).status).toBe(502);
  await stopEcho(echoes.messages);
  const response = await request("/messageoh/threads/u1");
  expect(response.status).toBe(502);
  expect(JSON.parse(response.body)).toEqual({ error: expect.any(String) });
  expect((await request("/healthz")).status).toBe(503);
});
