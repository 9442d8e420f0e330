import { globSync, readFileSync } from "node:fs";
import { findTitleFault } from "./title.ts";

// Runs in CI without installed packages, so it imports only Node modules.
const { workspaces } = JSON.parse(readFileSync("package.json", "utf8")) as { workspaces: string[] };
const title = process.env.TITLE ?? "";
const fault = findTitleFault(title, globSync(workspaces));
if (fault !== undefined) {
  process.stderr.write(`The title "${title}" is not a Conventional Commit. ${fault}.\n`);
  process.exit(1);
}
