import { connect, createServer } from "node:net";
import { pipeline } from "node:stream";
import type { Part } from "./processes/part.ts";

const CHECK_EVERY_MS = 1_000;

/**
 * Spreads connections over instances of a service, as a ClusterIP of Kubernetes does: a connection stays with its
 * instance, and new ones go to instances that are ready.
 * @returns a function that closes the port
 */
export async function openBalancer(instances: readonly Part[], port: number): Promise<() => void> {
  let ready = instances;
  let turn = 0;
  const check = async () => {
    const states = await Promise.all(instances.map((instance) => instance.ready()));
    ready = instances.filter((_, index) => states[index]);
    timer = setTimeout(check, CHECK_EVERY_MS).unref();
  };
  let timer = setTimeout(check, CHECK_EVERY_MS).unref();
  const server = createServer({ noDelay: true }, (client) => {
    const instance = ready[turn++ % ready.length];
    if (!instance) return void client.resetAndDestroy();
    const service = connect({ host: "127.0.0.1", port: instance.port, noDelay: true });
    // Destroys both when one of them fails or closes.
    pipeline(client, service, client, () => {});
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  server.unref();
  return () => {
    clearTimeout(timer);
    server.close();
  };
}
