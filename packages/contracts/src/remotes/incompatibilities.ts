import type { RemoteContract, ShellContract } from "./releases.ts";

/**
 * Returns the reasons why a release of a remote is incompatible with a shell, or an empty list. It does not compare the
 * versions of React: the release command and the federation runtime do that.
 * @param remote federation name of the remote, such as `mfe_chat`
 */
export function findIncompatibilities(
  remote: string,
  release: RemoteContract,
  shell: Pick<ShellContract, "pages" | "pageProps">,
): string[] {
  const { oldest, newest } = shell.pageProps;
  const reasons = shell.pages
    .filter((page) => page.startsWith(`${remote}/`) && !release.exposes.includes(page.replace(remote, ".")))
    .map((page) => `it does not expose ${page}, which the shell shows`);
  if (release.pageProps > newest)
    reasons.push(`its pages need page props ${release.pageProps}, the shell passes ${newest}`);
  if (release.pageProps < oldest)
    reasons.push(`its pages need page props ${release.pageProps}, the shell passes none older than ${oldest}`);
  return reasons;
}
