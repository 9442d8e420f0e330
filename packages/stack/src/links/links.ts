import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Puts a proxy between two parts and returns the port at which `from` reaches `to`, which listens on `port`. */
export type OpenLink = (from: string, to: string, port: number) => Promise<number>;

/** Returns the file with the milliseconds by which the clock of a service is ahead, in a stack with links. */
export const clockFile = (dataDir: string, service: string): string => join(dataDir, `${service}.clock`);

/**
 * Returns the environment that sends the connections of a service to other parts through links, and lets a test change its
 * clock.
 */
export async function linkEnvironment(
  dataDir: string,
  openLink: OpenLink,
  from: string,
  targets: readonly { name: string; port: number }[],
): Promise<NodeJS.ProcessEnv> {
  const links = await Promise.all(
    targets.map(async ({ name, port }) => [port, await openLink(from, name, port)] as const),
  );
  const preload = ["redirect.ts", "clock.ts"].map((file) => pathToFileURL(join(import.meta.dirname, file)).href);
  return {
    NODE_OPTIONS: preload.map((href) => `--import=${href}`).join(" "),
    STACK_LINKS: JSON.stringify(Object.fromEntries(links)),
    STACK_CLOCK: clockFile(dataDir, from),
  };
}
