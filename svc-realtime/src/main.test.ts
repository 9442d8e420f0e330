import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

it("ends on SIGTERM while it waits for its first stream", async () => {
  const frozen = createServer();
  const isWaiting = once(frozen, "upgrade");
  await once(frozen.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(frozen.address() as AddressInfo).port}`;
  const settings = {
    PORT: "0",
    REDIS_URL: "redis://127.0.0.1:1",
    USERS_URL: url,
    MESSAGES_URL: url,
    INTERNAL_SECRET: "a secret of a test",
    LOG_LEVEL: "silent",
  };
  const child = spawn(process.execPath, [join(__dirname, "main.ts")], { env: settings, stdio: "inherit" });
  const ended = once(child, "exit");
  const [, socket] = await isWaiting;
  child.kill("SIGTERM");
  // Without a handler the signal ends the process, unless it is the first of a container, which ignores it.
  expect(await ended).toEqual([0, null]);
  socket.destroy();
  frozen.close();
});
