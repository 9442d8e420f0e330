import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { BalancerPorts } from "./balancerThread.ts";

/**
 * Spreads connections over instances of a service, as a ClusterIP of Kubernetes does: a connection stays with its
 * instance, and new ones go to instances that are ready. It has a thread of its own: the calls of all services pass it,
 * and the clients and the checker of a test can keep this thread busy for seconds.
 * @param instances ports of the instances
 * @returns a function that closes the port
 */
export async function openBalancer(instances: readonly number[], port: number): Promise<() => Promise<unknown>> {
  const workerData: BalancerPorts = { port, instances };
  const worker = new Worker(new URL("balancerThread.ts", import.meta.url), { workerData });
  // Rejects if the port cannot be opened.
  await once(worker, "message");
  worker.unref();
  return () => worker.terminate();
}
