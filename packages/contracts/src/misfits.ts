import type { RemoteContract, ShellContract } from "./releases.ts";

/**
 * Why a release of a remote does not fit a shell; empty when it fits. React is left to whoever can compare versions:
 * the release command, and in the browser the federation runtime.
 */
export function misfits(
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
