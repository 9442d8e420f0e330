import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RemoteContract, ShellContract } from "@messageoh/contracts/releases";
import { PlainError } from "../command/progress.ts";

/** The part of mf-manifest.json that a shell depends on. */
type Manifest = {
  metaData: { pageProps?: number; publicPath?: string; remoteEntry: { type: string } };
  exposes: { path: string }[];
  shared: { name: string; requiredVersion?: string }[];
};

/** Returns the contract of a built remote, from its manifest. */
export async function readRemoteContract(dist: string): Promise<RemoteContract> {
  const { metaData, exposes, shared } = await readJson<Manifest>(join(dist, "mf-manifest.json"));
  if (metaData.publicPath !== "auto" || metaData.remoteEntry.type !== "global") {
    throw new PlainError(
      `${dist} works at one address only: its manifest must have publicPath "auto" and type "global"`,
    );
  }
  const react = shared.find(({ name }) => name === "react")?.requiredVersion;
  if (metaData.pageProps === undefined || react === undefined) {
    throw new PlainError(`The manifest in ${dist} has no version of page props or React: rebuild it`);
  }
  return { exposes: exposes.map(({ path }) => path), pageProps: metaData.pageProps, react };
}

/** Returns the contract of a built shell. */
export async function readShellContract(dist: string): Promise<ShellContract> {
  return readJson<ShellContract>(join(dist, "contract.json"));
}

async function readJson<Content>(file: string): Promise<Content> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Content;
  } catch (error) {
    throw new PlainError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
