import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "@messageoh/stack/command/run";

/** The common fields of Kubernetes objects. */
export type Manifest = { apiVersion: string; kind: string; metadata: { name: string; namespace?: string } };

/**
 * Throws if a manifest does not match the schemas of Kubernetes. Validators check values and required fields; types
 * check for unknown keys, which a server would drop without an error.
 */
export async function checkManifests(root: string, manifests: readonly Manifest[]): Promise<void> {
  const dir = await mkdtemp(join(root, "node_modules", ".manifests-"));
  try {
    const file = join(dir, "manifests.ts");
    await writeFile(file, manifests.map(asProgram).join("\n"));
    const options = ["--strict", "--skipLibCheck", "--ignoreConfig", "--target", "es2022", "--module", "nodenext"];
    const tsc = join(root, "node_modules/.bin/tsc");
    await run(tsc, [...options, "--types", "node", "--outDir", join(dir, "out"), file], { cwd: dir });
    await writeFile(join(dir, "package.json"), '{ "type": "module" }');
    await run(process.execPath, [join(dir, "out/manifests.js")]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function asProgram(manifest: Manifest, index: number): string {
  const { apiVersion, kind, metadata } = manifest;
  return [
    `import { ${kind} as Kind${index}, type I${kind} as Type${index} } from "kubernetes-models/${apiVersion}/${kind}";`,
    `const manifest${index}: Type${index} = ${JSON.stringify(manifest)};`,
    `try { new Kind${index}(manifest${index}).validate(); }`,
    `catch (error) { throw new Error("${kind} ${metadata.name}: " + (error as Error).message); }`,
  ].join("\n");
}
