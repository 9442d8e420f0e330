import { findIncompatibilities } from "@messageoh/contracts/incompatibilities";
import type { RemoteContract, ShellContract } from "@messageoh/contracts/releases";
import { satisfies } from "semver";

/** Why a remote's release does not fit a release of the shell; empty when it fits. */
export function misfitsOf(remote: string, offer: RemoteContract, shell: ShellContract): string[] {
  const reasons = findIncompatibilities(remote, offer, shell);
  if (!satisfies(shell.react, offer.react)) {
    reasons.push(`it needs React ${offer.react}, the shell brings ${shell.react}`);
  }
  return reasons;
}
