import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import { WebSocketServer } from "ws";
import { createOpenStream } from "./messagesStream.ts";

it.each(["{", "null", '{"results":1}'])("closes a stream whose frame is invalid: %s", async (frame) => {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (socket) => socket.send(frame));
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const open = createOpenStream(() => ({}), silentLogger);
  await new Promise<void>((onClose) => {
    open(`http://127.0.0.1:${port}`, { onFrame: ({ results }) => void [...results], onClose });
  });
  server.close();
});
