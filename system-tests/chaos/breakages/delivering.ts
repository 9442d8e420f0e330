import { type Breakage, FORWARD } from "./breakage.ts";

/** Emits a message to the sockets of a user. */
const EMIT = 'io.local.to(targets.map(({ id }) => id)).emit("receive_message", message);';

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
    name: "rule 4: what a silent process stored is not read",
    find: "      for (const message of bySequence(messages)) deliver(message);",
    replace: "",
    check: "a connected client receives each message",
    faults: ["freeze Redis", "kill Redis, back empty"],
  },
  {
    name: "an event is delivered twice",
    find: EMIT,
    replace: `[1, 2].map(() => ${EMIT.slice(0, -1)});`,
    check: "an event arrives once",
  },
  {
    name: "one in 1,000 publications is dropped without an error",
    find: "      if (unlessOnly === undefined) commands.publish(channel, text);",
    replace:
      '      if (Math.random() < 0.001) commands.publish("nowhere", text);\n      else if (unlessOnly === undefined) commands.publish(channel, text);',
    check: "a connected client receives each message",
    load: ["--minutes", "2", "--rate", "40"],
  },
  {
    name: "rule 3: a lower number is emitted again",
    find: "      else if (seq <= thread.last) duplicates.inc();",
    replace: "      else if (seq <= thread.last) release(userId, arrival);",
    check: "an event arrives once",
    faults: ["freeze Redis", "kill a messages instance between insert and publish", "freeze a messages instance"],
  },
  {
    name: "rule 3: a higher number is not held",
    find: "      else if (seq === thread.last + 1) releaseFrom(userId, thread, arrival);",
    replace: "      else if (seq > thread.last) releaseFrom(userId, thread, arrival);",
    check: "events arrive in order",
    faults: ["freeze Redis", "freeze a messages instance", "kill a messages instance"],
  },
  {
    name: "rule 5: a client gets messages from before its connection",
    find: "      if (messageId < position) return",
    replace: "      if (messageId < position && Date.now() < 0) return",
    check: "events arrive in order",
    faults: ["cut off a third of the clients", "freeze Redis", "kill a messages instance between insert and publish"],
  },
  {
    name: "events overtake each other",
    find: EMIT,
    replace: `setTimeout(() => ${EMIT.slice(0, -1)}, 1_000 * Math.random());`,
    check: "events arrive in order",
  },
  {
    name: "all messages wait while a realtime instance is missing",
    find: FORWARD,
    replace: `    const { readFileSync } = process.getBuiltinModule("node:fs");\n    const running = readFileSync(new URL(process.env.MESSAGES_URL ?? ""), "utf8").split("svc-realtime").length;\n    const most = Math.max(Number(process.env.MOST ?? 0), running);\n    process.env.MOST = String(most);\n    if (running < most) await pause(60_000);\n    ${FORWARD}`,
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
