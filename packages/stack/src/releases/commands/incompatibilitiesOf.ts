import { findIncompatibilities } from "@messageoh/contracts/incompatibilities";
import type { RemoteContract, ShellContract } from "@messageoh/contracts/releases";
import { satisfies } from "semver";

/** Returns the reasons why a release of a remote is incompatible with a shell, including the version of React. */
export function incompatibilitiesOf(remote: string, offer: RemoteContract, shell: ShellContract): string[] {
  const reasons = findIncompatibilities(remote, offer, shell);
  if (!satisfies(shell.react, offer.react)) {
    reasons.push(`it needs React ${offer.react}, the shell has ${shell.react}`);
  }
  return reasons;
}
