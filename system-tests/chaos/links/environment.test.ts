import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { clockFile, linkEnvironment } from "./environment.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "messageoh-links-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

/** Runs a script with the environment of a service, and returns what it prints. */
async function run(script: string, targets: { name: string; port: number }[], link: number): Promise<string> {
  const linked = await linkEnvironment(async () => link)(dataDir, "svc-one", targets);
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { env: { ...process.env, ...linked } });
  return text(child.stdout);
}

it("shifts the wall clock of a service by the milliseconds in its file", async () => {
  await writeFile(clockFile(dataDir, "svc-one"), "-3600000");
  const printed = await run("console.log(Date.now(), +new Date(), Date.parse(Date()), +new Date(7))", [], 0);
  const [now = 0, made = 0, parsed = 0, given] = printed.split(" ").map(Number);
  const hourAgo = Date.now() - 3_600_000;
  for (const time of [now, made, parsed]) expect(Math.abs(time - hourAgo)).toBeLessThan(600_000);
  expect(given).toBe(7);
});

it("sends the connections of a service to the port of the link", async () => {
  const server = createServer((socket) => socket.end("linked"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const connect = (how: string) =>
    `import net from "node:net"; net.connect(${how}).on("data", (data) => console.log(String(data)))`;
  expect(await run(connect("{ host: '127.0.0.1', port: 1 }"), [{ name: "redis", port: 1 }], port)).toBe("linked\n");
  expect(await run(connect("1, '127.0.0.1'"), [{ name: "redis", port: 1 }], port)).toBe("linked\n");
  server.close();
});
