import { Agent, request } from "node:http";

/** What an attacker is told, as JSON in the first argument. */
export interface AttackPlan {
  port: number;
  seconds: number;
  perSecond: number;
  addresses: number;
  /** Usernames that exist. Every second guess is at one of them, the others are at names that nobody has. */
  names: string[];
}
/** How many answers had which status, and how many came not at all. */
export type AttackOutcome = Record<string, number>;

// A process of its own, so that its work does not stand in the way of what is measured elsewhere.
const plan = JSON.parse(process.argv[2] ?? "{}") as AttackPlan;
const outcome: AttackOutcome = {};
const IN_FLIGHT_MAX = 2_000;
const PATIENCE_MS = 20_000;
const TICK_MS = 10;

/** 127.0.0.1 is the honest user's. */
const agents = Array.from(
  { length: plan.addresses },
  (_, index) => new Agent({ keepAlive: true, localAddress: `127.0.0.${index + 2}`, maxSockets: 40 }),
);
let sent = 0;
let inFlight = 0;

function guess(): void {
  const n = sent++;
  const name = n % 2 ? (plan.names[(n >> 1) % plan.names.length] as string) : `nobody ${n} ${process.pid}`;
  const body = JSON.stringify({ name, password: `guess number ${n}` });
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const agent = agents[n % agents.length];
  const settle = (what: string | number) => {
    inFlight -= 1;
    outcome[what] = (outcome[what] ?? 0) + 1;
  };
  inFlight += 1;
  const path = "/messageoh/login";
  const call = request({ host: "127.0.0.1", port: plan.port, path, method: "POST", headers, agent }, (answer) => {
    answer.resume().once("end", () => settle(answer.statusCode ?? 0));
  });
  call.setTimeout(PATIENCE_MS, () => call.destroy(new Error("no answer")));
  call.once("error", () => settle("no answer"));
  call.end(body);
}

const startedAt = performance.now();
const timer = setInterval(() => {
  const seconds = (performance.now() - startedAt) / 1_000;
  while (sent < Math.min(seconds, plan.seconds) * plan.perSecond && inFlight < IN_FLIGHT_MAX) guess();
  if (seconds < plan.seconds || (inFlight > 0 && seconds < plan.seconds + PATIENCE_MS / 1_000)) return;
  clearInterval(timer);
  process.stdout.write(JSON.stringify(outcome), () => process.exit(0));
}, TICK_MS);
