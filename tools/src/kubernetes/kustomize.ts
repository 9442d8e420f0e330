import { join } from "node:path";
import { findProgram, run } from "@messageoh/stack/command/run";
import { downloadPrograms } from "@messageoh/stack/dependencies/apt";

/** Returns the manifests that `kubectl apply -k FOLDER` sends. Unpacks Debian's kustomize if none is on PATH. */
export async function kustomize(folder: string): Promise<string> {
  return run(await findKustomize(), ["build", folder]);
}

async function findKustomize(): Promise<string> {
  const found = findProgram("kustomize");
  if (found) return found;
  const dir = await downloadPrograms("kustomize-5", "kustomize", ["kustomize"]);
  return join(dir, "usr/bin/kustomize");
}
