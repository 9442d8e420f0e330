import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { repoRoot } from "@messageoh/stack/command/root";
import type { StackLinks } from "@messageoh/stack/stack";

/** Returns the file with the milliseconds by which the clock of a service is ahead, in a stack with links. */
export const clockFile = (dataDir: string, service: string): string => join(dataDir, `${service}.clock`);

/**
 * Returns a function for the environment that sends the connections of a service through links, and shifts its clock.
 */
export const linkEnvironment =
  (open: StackLinks["open"]): StackLinks["environment"] =>
  async (dataDir, from, targets) => {
    const links = await Promise.all(
      targets.map(async ({ name, port }) => [port, await open(from, name, port)] as const),
    );
    const preload = ["redirect.ts", "clock.ts"].map((file) => join(repoRoot(), "system-tests/chaos/links", file));
    return {
      NODE_OPTIONS: preload.map((file) => `--import=${pathToFileURL(file).href}`).join(" "),
      STACK_LINKS: JSON.stringify(Object.fromEntries(links)),
      STACK_CLOCK: clockFile(dataDir, from),
    };
  };
