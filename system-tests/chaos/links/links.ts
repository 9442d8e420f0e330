import { Worker } from "node:worker_threads";
import { freePort } from "@messageoh/stack/ports";
import type { Conditions, Link } from "./link.ts";
import type { LinkCommand } from "./linkWorker.ts";

/** A link in the worker. */
export type RemoteLink = Pick<Link, "from" | "to" | "port" | "set" | "reset" | "retarget">;

/**
 * The links of a stack: one for each part that calls another part. They have a thread of their own, because everything
 * that the parts exchange passes them, and the clients and the checker keep this thread busy.
 */
export class Links {
  readonly #links: RemoteLink[] = [];
  readonly #worker = new Worker(new URL("./linkWorker.ts", import.meta.url));
  /** Called when the link of a port listens. */
  readonly #opening = new Map<number, () => void>();

  constructor() {
    this.#worker.on("message", (port: number) => this.#opening.get(port)?.());
    this.#worker.unref();
  }

  /** Opens a link; `startStack` calls it for every pair of parts. */
  readonly open = async (from: string, to: string, target: number): Promise<number> => {
    const port = await freePort(new Set(this.#links.map((link) => link.port)));
    const send = (command: LinkCommand) => this.#worker.postMessage(command);
    this.#links.push({
      from,
      to,
      port,
      set: (conditions) => send({ port, set: conditions }),
      reset: (share) => send({ port, reset: share ?? 1 }),
      retarget: (target) => send({ port, retarget: target }),
    });
    send({ port, open: { from, to, target } });
    await new Promise<void>((resolve) => this.#opening.set(port, resolve));
    return port;
  };

  /** Returns the links between parts whose names begin with these prefixes. */
  between(from: string, to: string): RemoteLink[] {
    return this.#links.filter((link) => link.from.startsWith(from) && link.to.startsWith(to));
  }
}

/** Changes the conditions of all these links. */
export function setAll(links: readonly RemoteLink[], conditions: Partial<Conditions>): void {
  for (const link of links) link.set(conditions);
}
