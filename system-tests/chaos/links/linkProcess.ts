import { Link } from "./link.ts";

/** Methods of a link that another process can call. */
export type LinkMethod = "set" | "reset" | "stallOne" | "retarget";
/** What the process does with the link of a port. It responds with the port when a new link listens. */
export type LinkCommand = { port: number } & (
  | { open: { from: string; to: string; target: number } }
  | { method: LinkMethod; value: unknown }
);

const links = new Map<number, Link>();

process.on("disconnect", () => process.exit());
process.on("message", async (command: LinkCommand) => {
  const { port } = command;
  if ("method" in command) return void links.get(port)?.[command.method](command.value as never);
  const { from, to, target } = command.open;
  const link = new Link(from, to, port, target);
  links.set(port, link);
  await link.listen();
  process.send?.(port);
});
