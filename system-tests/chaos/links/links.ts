import { fork } from "node:child_process";
import { join } from "node:path";
import { freePort } from "@messageoh/stack/ports";
import { linkEnvironment } from "./environment.ts";
import type { Conditions, Link } from "./link.ts";
import type { LinkCommand, LinkMethod } from "./linkProcess.ts";

/** A link in the other process. */
export type RemoteLink = Pick<Link, "from" | "to" | "port" | "set" | "reset" | "stallOne" | "retarget">;

/**
 * The links of a stack: one for each part that calls another part. They have a process of their own, because
 * everything that the parts exchange passes them, and the clients and the checker keep this process busy.
 */
export class Links {
  readonly #links: RemoteLink[] = [];
  readonly #process = fork(join(import.meta.dirname, "linkProcess.ts"), { serialization: "advanced" });
  /** Called when the link of a port listens. */
  readonly #opening = new Map<number, () => void>();

  constructor() {
    this.#process.on("message", (port: number) => this.#opening.get(port)?.());
    // It ends when this process does.
    this.#process.unref();
    this.#process.channel?.unref();
  }

  /** Opens a link; `startStack` calls it for every pair of parts. */
  readonly open = async (from: string, to: string, target: number): Promise<number> => {
    const port = await freePort();
    const send = (command: LinkCommand) => void this.#process.send(command);
    const call = (method: LinkMethod) => (value?: unknown) => send({ port, method, value });
    const methods = { set: call("set"), reset: call("reset"), stallOne: call("stallOne"), retarget: call("retarget") };
    this.#links.push({ from, to, port, ...methods });
    send({ port, open: { from, to, target } });
    await new Promise<void>((resolve) => this.#opening.set(port, resolve));
    return port;
  };

  /** Returns the environment of a service that calls other parts through links. */
  readonly environment = linkEnvironment(this.open);

  /** Returns the links between parts whose names begin with these prefixes. */
  between(from: string, to: string): RemoteLink[] {
    return this.#links.filter((link) => link.from.startsWith(from) && link.to.startsWith(to));
  }
}

/** Changes the conditions of all these links. */
export function setAll(links: readonly RemoteLink[], conditions: Partial<Conditions>): void {
  for (const link of links) link.set(conditions);
}
