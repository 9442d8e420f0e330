import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { createAdapter } from "@socket.io/redis-adapter";
import { Redis } from "ioredis";
import { Server } from "socket.io";

// The baseline: Socket.IO with the Redis adapter as documented, without authentication, checks or storage.
const { PORT, INSTANCE, REDIS_URL = "" } = process.env;
const server = createServer((_, response) => response.end("ok"));
const io = new Server(server, {
  adapter: createAdapter(new Redis(REDIS_URL), new Redis(REDIS_URL)),
  serveClient: false,
});
io.engine.generateId = () => `${INSTANCE}.${randomBytes(15).toString("base64url")}`;

io.on("connection", (socket) => {
  socket.join(`user:${socket.handshake.query.user_id}`);
  socket.on("send_message", (message, ack) => {
    io.to(`user:${message.recipient_user_id}`).emit("receive_message", message);
    ack({ message: { id: message.client_id } });
  });
});
server.listen(Number(PORT), "127.0.0.1");
