import { findOrFetch, type Program } from "./fetched.ts";

/** Finds or fetches clamd, the server of ClamAV. */
export const findClamd = (): Promise<Program> =>
  findOrFetch({ name: "ClamAV", program: "clamd", trial: "--help", debianPackage: "clamav-daemon" });

/** Finds or fetches nginx, which runs the gateway. */
export const findNginx = (): Promise<Program> =>
  findOrFetch({ name: "nginx", program: "nginx", trial: "-v", debianPackage: "nginx" });

/** Finds or fetches Prometheus, or promtool, which checks its configuration and rules. */
export const findPrometheus = (program: "prometheus" | "promtool"): Promise<Program> =>
  findOrFetch({ name: "Prometheus", program, debianPackage: "prometheus" });

/** Finds or fetches the server of Redis. */
export const findRedis = (): Promise<Program> =>
  findOrFetch({
    name: "Redis",
    program: "redis-server",
    debianPackage: "redis-server",
    advice: "install redis-server, or set REDIS_URL to a running one",
  });
