import { join } from "node:path";

/** The three front ends: the shell's files lie at the root, each micro-frontend's in release folders. */
export const FRONTENDS = [
  { name: "shell", remote: undefined },
  { name: "mfe-auth", remote: "mfe_auth" },
  { name: "mfe-chat", remote: "mfe_chat" },
] as const;

export type Frontend = (typeof FRONTENDS)[number];

/** Where webpack puts a front end. */
export function distDir(root: string, { name }: Frontend): string {
  return join(root, name, "dist");
}

/** What every front end is built from, besides its own folder. */
export const SHARED_INPUTS = [
  "packages/contracts",
  "packages/ui-kit",
  "packages/frontend-build/src",
  "package-lock.json",
];
