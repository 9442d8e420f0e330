import { findOrFetch, type Program } from "./fetched.ts";

/** nginx, which is the gateway. */
export function findNginx(): Promise<Program> {
  return findOrFetch({ name: "nginx", program: "nginx", debianPackage: "nginx", advice: "install nginx" });
}
