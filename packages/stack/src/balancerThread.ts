import { connect, createServer } from "node:net";
import { pipeline } from "node:stream";
import { parentPort, workerData } from "node:worker_threads";
import { respondsOk } from "./services.ts";

/** What {@link openBalancer} passes: the port to listen on, and those of the instances. */
export interface BalancerPorts {
  port: number;
  instances: readonly number[];
}

const CHECK_EVERY_MS = 1_000;

const { port, instances }: BalancerPorts = workerData;
let ready = instances;
let turn = 0;

async function check(): Promise<void> {
  const states = await Promise.all(instances.map((instance) => respondsOk(`http://127.0.0.1:${instance}/readyz`)));
  ready = instances.filter((_, index) => states[index]);
  setTimeout(check, CHECK_EVERY_MS);
}
setTimeout(check, CHECK_EVERY_MS);

const server = createServer({ noDelay: true }, (client) => {
  const instance = ready[turn++ % ready.length];
  if (instance === undefined) return void client.resetAndDestroy();
  const service = connect({ host: "127.0.0.1", port: instance, noDelay: true });
  // Destroys both when one of them fails or closes.
  pipeline(client, service, client, () => {});
});
server.listen(port, "127.0.0.1", () => parentPort?.postMessage("listens"));
