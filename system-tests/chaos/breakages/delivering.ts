import { type Breakage, FORWARD } from "./breakage.ts";

/** Emits a message to the sockets of a user. */
const EMIT = 'target.emit("receive_message", message);';

/** Breakages on the way from the database to the connected clients. */
export const DELIVERING: readonly Breakage[] = [
  {
    name: "a message reaches another user too",
    find: EMIT,
    replace: 'io.local.emit("receive_message", message);',
    check: "nobody else receives a message",
  },
  {
    name: "a receipt reaches another user too",
    find: "      io.local.to(userRoom(userId)).emit(event, payload);",
    replace: "      io.local.emit(event, payload);",
    check: "nobody else receives a receipt",
  },
  {
    name: "an event is lost and there is no backfill",
    find: "      for (const message of bySequence(messages)) delivery.deliverBackfilled(message);",
    replace: "",
    check: "a connected client receives each message",
    faults: ["freeze Redis", "kill Redis, back empty"],
  },
  {
    name: "an event is delivered twice",
    find: EMIT,
    replace: '[1, 2].map(() => target.emit("receive_message", message));',
    check: "an event arrives once",
  },
  {
    name: "a client gets messages from before its connection",
    find: "        ({ id, data }) => data.connectedAt <= connectedBy && id !== exceptSocket,",
    replace: "        ({ id }) => id !== exceptSocket,",
    check: "events arrive in order",
    faults: ["cut off a third of the clients"],
  },
  {
    name: "events overtake each other",
    find: EMIT,
    replace: 'setTimeout(() => target.emit("receive_message", message), 1_000 * Math.random());',
    check: "events arrive in order",
  },
  {
    name: "all messages wait while a realtime instance is missing",
    find: FORWARD,
    replace: `  let instances = 0;\n${FORWARD}\n    const { readFileSync } = await import("node:fs");\n    const running = readFileSync(new URL(process.env.MESSAGES_URL ?? ""), "utf8").split("svc-realtime").length;\n    if (running < instances) await new Promise((resolve) => setTimeout(resolve, 60_000));\n    instances = Math.max(instances, running);`,
    check: "unaffected pairs are fast during a fault",
    faults: ["kill a realtime instance"],
    load: ["--users", "8", "--rate", "60"],
  },
  {
    name: "the client does not reconnect",
    find: "  reconnectionDelay: 1_000,\n  reconnectionDelayMax: 5_000,",
    replace: "  reconnectionDelay: 600_000,\n  reconnectionDelayMax: 600_000,",
    check: "each pair exchanges a message after the last fault",
    faults: ["kill a realtime instance", "cut off a third of the clients"],
  },
];
