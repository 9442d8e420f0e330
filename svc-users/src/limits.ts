import { createRateLimit, type Rate } from "@messageoh/service-kit/rateLimit";
import type { Redis } from "@messageoh/service-kit/redis";

/** How often what may be done. Settings of the same names: see config.ts. */
export interface LimitRates {
  loginsPerAddress: Rate;
  failedLoginsPerName: Rate;
  registrationsPerAddress: Rate;
  searchesPerUser: Rate;
}

export type Limits = ReturnType<typeof createLimits>;

export function createLimits(redis: Redis, rates: LimitRates) {
  const limit = (name: string, rate: Rate, text: string) => createRateLimit({ redis, name, rate, text });
  return {
    logins: limit("logins", rates.loginsPerAddress, "Too many logins from your network"),
    /** Counted before the password is looked at, so that many at once are no way around it, and forgotten when it is right. */
    failedLogins: limit("failed_logins", rates.failedLoginsPerName, "Too many failed logins for this username"),
    registrations: limit("registrations", rates.registrationsPerAddress, "Too many registrations from your network"),
    searches: limit("searches", rates.searchesPerUser, "You are searching too fast"),
  };
}
