import * as z from "zod/mini";

/** Schema of the contract of a remote's release. The release command reads it from the manifest and copies it to the pointer. */
export const remoteContract = z.object({
  /** Exposed modules as in the manifest, such as "./ChatPage". */
  exposes: z.array(z.string()),
  pageProps: z.int(),
  /** Supported range of React versions. The remote gets the shell's React. */
  react: z.string(),
});
export type RemoteContract = z.infer<typeof remoteContract>;

/** Schema of the contract of a shell's release: what it requires of remotes and passes to them. */
export const shellContract = z.object({
  /** Every page that it shows, as `remote/Page`. */
  pages: z.array(z.string()),
  pageProps: z.object({ oldest: z.int(), newest: z.int() }),
  /** Version of React that it provides. */
  react: z.string(),
});
export type ShellContract = z.infer<typeof shellContract>;

const release = z.object({ release: z.string() });
const remoteRelease = z.extend(release, {
  /** Path of the release's manifest. */
  entry: z.string(),
  /** The manifest itself, which saves the page a request. Only the parts that the shell reads are checked. */
  manifest: z.looseObject({ metaData: z.looseObject({ remoteEntry: z.looseObject({ name: z.string() }) }) }),
  contract: remoteContract,
});
export type RemoteRelease = z.infer<typeof remoteRelease>;

/** Schema of a remote's `current.json`: its live release, and its canary for a share of the browsers. */
export const remotePointer = z.extend(remoteRelease, {
  name: z.string(),
  since: z.iso.datetime(),
  canary: z.optional(z.extend(remoteRelease, { percent: z.number(), since: z.iso.datetime() })),
});
export type RemotePointer = z.infer<typeof remotePointer>;

/** Schema of `/shell/current.json`: the live release of the shell. */
export const shellPointer = z.extend(release, {
  name: z.literal("shell"),
  since: z.iso.datetime(),
  contract: shellContract,
  /** The operator has removed the service worker from all browsers, so pages do not register it. */
  isServiceWorkerRemoved: z.optional(z.boolean()),
});
export type ShellPointer = z.infer<typeof shellPointer>;
