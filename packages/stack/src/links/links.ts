import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Puts a proxy between two parts and returns the port at which `from` reaches `to`, which listens on `port`. */
export type OpenLink = (from: string, to: string, port: number) => Promise<number>;

/** Returns the environment that sends the connections of a service to other parts through links. */
export async function linkEnvironment(
  openLink: OpenLink,
  from: string,
  targets: readonly { name: string; port: number }[],
): Promise<NodeJS.ProcessEnv> {
  const links = await Promise.all(
    targets.map(async ({ name, port }) => [port, await openLink(from, name, port)] as const),
  );
  const redirect = pathToFileURL(join(import.meta.dirname, "redirect.ts")).href;
  return { NODE_OPTIONS: `--import=${redirect}`, STACK_LINKS: JSON.stringify(Object.fromEntries(links)) };
}
