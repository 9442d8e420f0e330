import { globSync, readFileSync } from "node:fs";
import { findTitleFault } from "./title.ts";

// Runs in CI before anything is installed, so it imports nothing but Node.
const { workspaces } = JSON.parse(readFileSync("package.json", "utf8")) as { workspaces: string[] };
const title = process.env.TITLE ?? "";
const fault = findTitleFault(title, globSync(workspaces));
if (fault !== undefined) {
  process.stderr.write(`The title "${title}" is not a Conventional Commit. ${fault}.\n`);
  process.exit(1);
}
