import { createServer } from "node:net";
import pino from "pino";
import { silentLogger } from "../../testing/datastores.ts";
import { connectRedis } from "./redis.ts";
import { waitForRedisLogin } from "./redisLogin.ts";

/** Serves Redis's protocol with the same reply to every command. */
async function serveRedis(reply: { text: string }) {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (data) => {
      const commands = data.toString().match(/^\*\d+\r$/gm) ?? [];
      for (const _ of commands) socket.write(`${reply.text}\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { url: `redis://:password@127.0.0.1:${port}`, close: () => server.close() };
}

it("waits while Redis refuses the password, and logs that once", async () => {
  const reply = { text: "-WRONGPASS invalid username-password pair" };
  const { url, close } = await serveRedis(reply);
  const logged: { msg: string }[] = [];
  const logger = pino({}, { write: (line) => logged.push(JSON.parse(line)) });
  const redis = connectRedis(url, silentLogger, "probe");
  let refusals = 0;
  const refusedTwice = new Promise<void>((resolve) => {
    redis.on("error", () => {
      refusals += 1;
      if (refusals === 2) resolve();
    });
  });
  let isAccepted = false;
  const accepted = waitForRedisLogin(redis, logger).then(() => {
    isAccepted = true;
  });
  await refusedTwice;
  expect(isAccepted).toBe(false);
  expect(logged.map(({ msg }) => msg)).toEqual(["Redis refuses the connection: check REDIS_URL"]);

  reply.text = "+OK";
  await accepted;
  redis.disconnect();
  close();
});

it("does not wait for a Redis that cannot be reached", async () => {
  const { url, close } = await serveRedis({ text: "+OK" });
  close();
  const redis = connectRedis(url, silentLogger, "probe");
  await waitForRedisLogin(redis, silentLogger);
  expect(redis.status).not.toBe("ready");
  redis.disconnect();
});
