import { join } from "node:path";

/** The front ends. A micro-frontend has the name of its Module Federation remote. */
export const FRONTENDS = [
  { name: "shell", remote: undefined },
  { name: "mfe-auth", remote: "mfe_auth" },
  { name: "mfe-chat", remote: "mfe_chat" },
] as const;

export type Frontend = (typeof FRONTENDS)[number];

/** Returns webpack's output folder of a front end. */
export function distDir(root: string, { name }: Frontend): string {
  return join(root, name, "dist");
}

/** Inputs of every front end, in addition to its own folder. */
export const SHARED_INPUTS = [
  "packages/contracts",
  "packages/ui-kit",
  "packages/stack/src/frontends",
  "package-lock.json",
];
