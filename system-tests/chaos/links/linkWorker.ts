import { parentPort } from "node:worker_threads";
import { type Conditions, Link } from "./link.ts";

/** What the worker does with the link of a port. It responds with the port when a new link listens. */
export type LinkCommand = { port: number } & (
  | { open: { from: string; to: string; target: number } }
  | { set: Partial<Conditions> }
  | { reset: number }
  | { retarget: number }
);

const links = new Map<number, Link>();

parentPort?.on("message", async (command: LinkCommand) => {
  const { port } = command;
  if ("open" in command) {
    const { from, to, target } = command.open;
    const link = new Link(from, to, port, target);
    links.set(port, link);
    await link.listen();
    parentPort?.postMessage(port);
  }
  if ("set" in command) links.get(port)?.set(command.set);
  if ("reset" in command) links.get(port)?.reset(command.reset);
  if ("retarget" in command) links.get(port)?.retarget(command.retarget);
});
