import { findOrFetch, type Program } from "./fetched.ts";

/** Finds or fetches Prometheus, or promtool, which checks its configuration and rules. */
export function findPrometheus(program: "prometheus" | "promtool"): Promise<Program> {
  return findOrFetch({ name: "Prometheus", program, debianPackage: "prometheus", advice: "install prometheus" });
}
