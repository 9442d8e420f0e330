import { freePort } from "@messageoh/stack/ports";
import { type Conditions, Link } from "./link.ts";

/** The links of a stack: one for each part that calls another part. */
export class Links {
  readonly #links: Link[] = [];

  /** Opens a link; `startStack` calls it for every pair of parts. */
  readonly open = async (from: string, to: string, target: number): Promise<number> => {
    const taken = new Set(this.#links.map(({ port }) => port));
    const link = new Link(from, to, await freePort(taken), target);
    this.#links.push(link);
    await link.listen();
    return link.port;
  };

  /** Returns the links between parts whose names begin with these prefixes. */
  between(from: string, to: string): Link[] {
    return this.#links.filter((link) => link.from.startsWith(from) && link.to.startsWith(to));
  }
}

/** Changes the conditions of all these links. */
export function setAll(links: readonly Link[], conditions: Partial<Conditions>): void {
  for (const link of links) link.set(conditions);
}
