import { type Conditions, Link } from "./link.ts";

/** What the process does with the link of a port. It responds with the port when a new link listens. */
export type LinkCommand = { port: number } & (
  | { open: { from: string; to: string; target: number } }
  | { set: Partial<Conditions> }
  | { reset: number }
  | { stallOne: number }
  | { retarget: number }
);

const links = new Map<number, Link>();

process.on("disconnect", () => process.exit());
process.on("message", async (command: LinkCommand) => {
  const { port } = command;
  if ("open" in command) {
    const { from, to, target } = command.open;
    const link = new Link(from, to, port, target);
    links.set(port, link);
    await link.listen();
    process.send?.(port);
  }
  if ("set" in command) links.get(port)?.set(command.set);
  if ("reset" in command) links.get(port)?.reset(command.reset);
  if ("stallOne" in command) links.get(port)?.stallOne(command.stallOne);
  if ("retarget" in command) links.get(port)?.retarget(command.retarget);
});
