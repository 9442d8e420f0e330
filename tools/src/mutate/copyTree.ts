import { cpSync, globSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { listFiles } from "./sources.ts";

/** Copies the working tree of a repository. Links installed packages; links to workspaces point into the copy. */
export function copyTree(root: string, copy: string): void {
  for (const file of listFiles(root)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  for (const folder of globSync(["node_modules", "*/node_modules", "packages/*/node_modules"], { cwd: root })) {
    linkPackages(root, copy, folder);
  }
}

function linkPackages(root: string, copy: string, folder: string): void {
  mkdirSync(join(copy, folder), { recursive: true });
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(join(root, path)), join(copy, path));
    else if (entry.name.startsWith("@")) linkPackages(root, copy, path);
    else symlinkSync(resolve(root, path), join(copy, path));
  }
}
