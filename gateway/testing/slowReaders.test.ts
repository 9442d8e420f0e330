import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { exchange, until } from "@messageoh/stack/ports";
import { call, startGateway } from "./gateway.ts";

let respond: RequestListener;
const service = createServer((req, res) => respond(req, res));
let gateway: Awaited<ReturnType<typeof startGateway>>;
const sockets: Socket[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const upstream = [{ name: "svc", port: (service.address() as AddressInfo).port }];
  const upstreams = { users: upstream, messages: upstream, realtime: upstream, media: upstream };
  gateway = await startGateway(upstreams, { "shell/index.html": "<!doctype html>" }, { trustedProxies: "127.0.0.1" });
}, 120_000);
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await gateway?.stop();
  service.closeAllConnections();
  service.close();
});

const head = (path: string, address: string) =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\nConnection: close\r\n\r\n`;
/** Sends a call and reads nothing. */
function open(path: string, address: string): void {
  const socket = connect(gateway.port, "127.0.0.1");
  sockets.push(socket);
  socket.pause();
  socket.write(head(path, address));
}

it("stores at most 16 MB of a download of all data that its client does not read", async () => {
  let sent = 0;
  respond = (_, res) => {
    const chunk = Buffer.alloc(1_000_000);
    const send = () => {
      sent += 1;
      res.write(chunk, () => sent < 200 && send());
    };
    send();
  };
  open("/messageoh/messages/u1/export", "203.0.113.1");
  // Sockets and buffers hold some megabytes, too.
  await until(() => sent === 200, 3_000);
  expect(sent).toBeGreaterThanOrEqual(16);
  expect(sent).toBeLessThan(50);
});

it("has 200 calls to svc-messages of an address under way at most, without an effect on its other calls and on other addresses", async () => {
  let begun = 0;
  respond = (req, res) => {
    if (!req.url?.startsWith("/threads")) return res.end("{}");
    begun += 1;
    return undefined;
  };
  const path = "/messageoh/threads/u1";
  for (let count = 0; count < 200; count += 1) open(path, "203.0.113.2");
  expect(await until(() => begun === 200, 20_000)).toBe(true);
  const refused = String(await exchange(gateway.port, head(path, "203.0.113.2"), 5_000));
  expect(refused).toContain("HTTP/1.1 429");
  expect(refused).toContain("Too many connections from your network");
  open(path, "203.0.113.3");
  expect(await until(() => begun === 201, 20_000)).toBe(true);
  const other = await call(gateway.port, "/messageoh/users", { headers: { "x-forwarded-for": "203.0.113.2" } });
  expect(other.status).toBe(200);
});
