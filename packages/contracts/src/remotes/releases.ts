import * as v from "valibot";
import { int, isoTime } from "../rules/fields.ts";

/**
 * Schema of the contract of a remote's release. The release command reads it from the manifest and copies it to the
 * pointer.
 */
export const remoteContract = v.object({
  /** Exposed modules as in the manifest, such as "./ChatPage". */
  exposes: v.array(v.string()),
  pageProps: int,
  /** Supported range of React versions. The remote gets the shell's React. */
  react: v.string(),
});
export type RemoteContract = v.InferOutput<typeof remoteContract>;

/** Schema of the contract of a shell's release: what it requires of remotes and passes to them. */
export const shellContract = v.object({
  /** Every page that it shows, as `remote/Page`. */
  pages: v.array(v.string()),
  pageProps: v.object({ oldest: int, newest: int }),
  /** Version of React that it provides. */
  react: v.string(),
});
export type ShellContract = v.InferOutput<typeof shellContract>;

const release = v.object({ release: v.string() });
const remoteRelease = v.object({
  ...release.entries,
  /** Path of the release's manifest. */
  entry: v.string(),
  /** The manifest itself, which saves the page a request. Only the parts that the shell reads are checked. */
  manifest: v.looseObject({ metaData: v.looseObject({ remoteEntry: v.looseObject({ name: v.string() }) }) }),
  contract: remoteContract,
});
export type RemoteRelease = v.InferOutput<typeof remoteRelease>;

/** Schema of a remote's `current.json`: its live release, and its canary for a share of the browsers. */
export const remotePointer = v.object({
  ...remoteRelease.entries,
  name: v.string(),
  since: isoTime,
  canary: v.optional(v.object({ ...remoteRelease.entries, percent: v.number(), since: isoTime })),
});
export type RemotePointer = v.InferOutput<typeof remotePointer>;

/** Schema of `/shell/current.json`: the live release of the shell. */
export const shellPointer = v.object({
  ...release.entries,
  name: v.literal("shell"),
  since: isoTime,
  contract: shellContract,
  /** The operator has removed the service worker from all browsers, so pages do not register it. */
  isServiceWorkerRemoved: v.optional(v.boolean()),
});
export type ShellPointer = v.InferOutput<typeof shellPointer>;
