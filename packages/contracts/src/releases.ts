import * as z from "zod/mini";

/** What a release of a remote says of itself: read from its manifest, carried by its pointer. */
export const remoteContract = z.object({
  /** As in the manifest: "./ChatPage". */
  exposes: z.array(z.string()),
  pageProps: z.int(),
  /** The range of React that it runs on; the shell's React is the one it gets. */
  react: z.string(),
});
export type RemoteContract = z.infer<typeof remoteContract>;

/** What a release of the shell asks of remotes and gives to them. */
export const shellContract = z.object({
  /** `remote/Page` for every page that it shows. */
  pages: z.array(z.string()),
  pageProps: z.object({ oldest: z.int(), newest: z.int() }),
  /** The version of React that it brings. */
  react: z.string(),
});
export type ShellContract = z.infer<typeof shellContract>;

const release = z.object({ release: z.string() });
const remoteRelease = z.extend(release, {
  /** The path of the release's manifest. */
  entry: z.string(),
  /** That manifest, so that reading it costs a page no request; what the shell needs of it is named. */
  manifest: z.looseObject({ metaData: z.looseObject({ remoteEntry: z.looseObject({ name: z.string() }) }) }),
  contract: remoteContract,
});
export type RemoteRelease = z.infer<typeof remoteRelease>;

/** `/mfe-chat/current.json`: which release of a remote is live. A canary is live for a share of the browsers. */
export const remotePointer = z.extend(remoteRelease, {
  name: z.string(),
  since: z.iso.datetime(),
  canary: z.optional(z.extend(remoteRelease, { percent: z.number(), since: z.iso.datetime() })),
});
export type RemotePointer = z.infer<typeof remotePointer>;

/** `/shell/current.json`: which release of the shell is live. */
export const shellPointer = z.extend(release, {
  name: z.literal("shell"),
  since: z.iso.datetime(),
  contract: shellContract,
});
export type ShellPointer = z.infer<typeof shellPointer>;
