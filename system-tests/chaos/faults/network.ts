import { pause } from "../../client/account.ts";
import type { Conditions } from "../links/link.ts";
import { type RemoteLink, setAll } from "../links/links.ts";
import type { Fault, FaultContext } from "./fault.ts";

const LASTS_MS = 15_000;
const RESET_EVERY_MS = 1_000;
const STALL_ONE_MS = 20_000;

/** Links by the names of their parts. The gateway reaches all services, every service its datastores. */
const ROUTES: { name: string; from: string; to: string }[] = [
  { name: "browsers and the gateway", from: "browsers", to: "gateway" },
  { name: "the gateway and services", from: "gateway", to: "svc" },
  { name: "services and svc-users", from: "svc", to: "svc-users" },
  { name: "svc-realtime and svc-messages", from: "svc-realtime", to: "svc-messages" },
  { name: "svc-messages and svc-media", from: "svc-messages", to: "svc-media" },
  { name: "svc-media and svc-messages", from: "svc-media", to: "svc-messages" },
  { name: "services and MongoDB", from: "svc", to: "mongo" },
  { name: "services and Redis", from: "svc", to: "redis" },
];

const CONDITIONS: { name: string; conditions: Partial<Conditions>; endsInReset?: true }[] = [
  { name: "200 ms latency", conditions: { delayMs: 150, jitterMs: 100 } },
  { name: "stalls of 5 s", conditions: { stallShare: 0.01, stallMs: 5_000 } },
  { name: "10 kB/s", conditions: { bytesPerSecond: 10_000 } },
  // The peer is gone without a word: connections can be opened, nothing responds, and nothing of them is left
  // afterwards.
  { name: "half-open connections", conditions: { blocksRequests: true, blocksResponses: true }, endsInReset: true },
  { name: "a partition", conditions: { blocksRequests: true, blocksResponses: true } },
  { name: "lost requests", conditions: { blocksRequests: true } },
  { name: "lost responses", conditions: { blocksResponses: true } },
];

/** Returns the faults of connections: each kind on each route. */
export function networkFaults({ links, world, random }: FaultContext): Fault[] {
  /** Returns all links of a route, or only those of one part, so that parts disagree about who is up. */
  const pickLinks = ({ from, to }: { from: string; to: string }): RemoteLink[] => {
    const all = links.between(from, to);
    const part = random.pick(all)?.from;
    return random.next() < 0.5 ? all : all.filter((link) => link.from === part);
  };
  const routes = ROUTES.flatMap((route) => [
    ...CONDITIONS.map(({ name, conditions, endsInReset }) => ({
      name: `${name} between ${route.name}`,
      async inject() {
        const picked = pickLinks(route);
        setAll(picked, conditions);
        await pause(LASTS_MS);
        if (endsInReset) for (const link of picked) link.reset();
        setAll(picked, {});
      },
    })),
    {
      name: `resets between ${route.name}`,
      async inject() {
        const picked = pickLinks(route);
        const end = Date.now() + LASTS_MS;
        while (Date.now() < end) {
          for (const link of picked) link.reset(0.5);
          await pause(RESET_EVERY_MS);
        }
      },
    },
  ]);
  return [
    ...routes,
    {
      name: "stall one connection of svc-messages to MongoDB",
      async inject() {
        for (const link of links.between("svc-messages", "mongo")) link.stallOne(STALL_ONE_MS);
        await pause(STALL_ONE_MS);
      },
    },
    {
      name: "cut off a third of the clients",
      inject() {
        const count = Math.ceil(world.clients.length / 3);
        for (const client of random.shuffled(world.clients).slice(0, count)) client.cut();
      },
    },
  ];
}
