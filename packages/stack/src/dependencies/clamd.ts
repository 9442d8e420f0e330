import { findOrFetch, type Program } from "./fetched.ts";

/** Finds or fetches clamd, the server of ClamAV. */
export function findClamd(): Promise<Program> {
  return findOrFetch({
    name: "ClamAV",
    program: "clamd",
    trial: "--help",
    debianPackage: "clamav-daemon",
    advice: "install clamav-daemon",
  });
}
