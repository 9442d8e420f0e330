import { join } from "node:path";
import { buildOnce, cacheDir } from "@messageoh/cli/cache";
import { PlainError, withProgress } from "@messageoh/cli/progress";
import { findProgram, run } from "@messageoh/cli/run";
import { hasDebian, unpackRelease } from "@messageoh/stack/dependencies/apt";

/** Returns the manifests that `kubectl apply -k FOLDER` sends. Unpacks Debian's kustomize if none is on PATH. */
export async function kustomize(folder: string): Promise<string> {
  return run(await findKustomize(), ["build", folder]);
}

async function findKustomize(): Promise<string> {
  const found = findProgram("kustomize");
  if (found) return found;
  if (!hasDebian()) throw new PlainError("kustomize is missing and cannot be fetched on this system: install it.");
  const dir = await buildOnce(join(cacheDir(), "kustomize-5"), (aside) =>
    withProgress("kustomize: fetching the Debian package", () =>
      unpackRelease(aside, "forky", ["kustomize"], "download"),
    ),
  );
  return join(dir, "usr/bin/kustomize");
}
