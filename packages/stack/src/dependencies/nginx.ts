import { findOrFetch, type Program } from "./fetched.ts";

/** Finds or fetches nginx, which runs the gateway. */
export function findNginx(): Promise<Program> {
  return findOrFetch({ name: "nginx", program: "nginx", trial: "-v", debianPackage: "nginx", advice: "install nginx" });
}
