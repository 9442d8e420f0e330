import type { Endpoint } from "@messageoh/contracts/endpoint";
import { findInviter, getInvite, renewInvite } from "@messageoh/contracts/invites";
import { getPush, subscribePush, unsubscribePush } from "@messageoh/contracts/push";
import * as contract from "@messageoh/contracts/users";
import { type LimitRow, limitFinder } from "@messageoh/service-kit/limitTable";
import { createLocalRateLimit, createRateLimit, type Rate } from "@messageoh/service-kit/rateLimit";
import type { Redis } from "@messageoh/service-kit/redis";

/** Rate limits per user, or per address without a session. */
export const RATE_LIMITS = {
  registrations: {
    setting: "LIMIT_REGISTRATIONS_PER_ADDRESS",
    fallback: "600/3600",
    counts: "Registrations from one address",
    text: "Too many registrations from your network",
  },
  logins: {
    setting: "LIMIT_LOGINS_PER_ADDRESS",
    fallback: "200/20",
    counts: "Sign-ins from one address",
    text: "Too many logins from your network",
  },
  failedLogins: {
    setting: "LIMIT_FAILED_LOGINS_PER_NAME",
    fallback: "5/900",
    counts: "Failed sign-ins with one username from one address, or on one device that has signed in before",
    text: "Too many failed logins for this username",
  },
  failedLoginsFromAnywhere: {
    setting: "LIMIT_FAILED_LOGINS_PER_NAME_FROM_ANYWHERE",
    fallback: "100/3600",
    counts: "Failed sign-ins with one username from all addresses, except on devices that have signed in before",
    text: "Too many failed logins for this username",
  },
  failedLoginsOfAddress: {
    setting: "LIMIT_FAILED_LOGINS_PER_ADDRESS",
    fallback: "200/3600",
    counts: "Failed sign-ins from one address with all usernames, except on devices that have signed in before",
    text: "Too many failed logins from your network",
  },
  wrongOldPasswords: {
    setting: "LIMIT_WRONG_OLD_PASSWORDS_PER_SESSION",
    fallback: "5/900",
    counts: "Password changes with a wrong old password in one session",
    text: "Too many wrong passwords",
  },
  reads: {
    setting: "LIMIT_READS_PER_USER",
    fallback: "600/60",
    counts: "Reads of the own user, friends, sessions, blocks, privacy, link and push notifications",
    text: "You are loading too fast",
  },
  changes: {
    setting: "LIMIT_CHANGES_PER_USER",
    fallback: "60/60",
    counts:
      "Changes of the own avatar, name, sessions, password, privacy, link, push notifications, friends and blocks",
    text: "You are making too many changes",
  },
  friends: {
    setting: "LIMIT_ADDED_FRIENDS_PER_USER",
    fallback: "200/600",
    counts: "Friends added by one user",
    text: "You are adding friends too fast",
  },
  searches: {
    setting: "LIMIT_SEARCHES_PER_USER",
    fallback: "50/10",
    counts: "Searches for users, and links opened, by one user",
    text: "You are searching too fast",
  },
} as const satisfies Record<string, LimitRow>;

export type LimitName = keyof typeof RATE_LIMITS;
export type LimitRates = Record<LimitName, Rate>;

/** The limit of each public call. A call that is missing here cannot be mounted. */
export const LIMIT_OF = new Map<Endpoint, "registrations" | "logins" | "reads" | "changes" | "friends" | "searches">([
  [contract.register, "registrations"],
  [contract.logIn, "logins"],
  [contract.logOut, "changes"],
  [contract.listSessions, "reads"],
  [contract.endSession, "changes"],
  [contract.endSessions, "changes"],
  [contract.changePassword, "changes"],
  [contract.getUser, "reads"],
  [contract.changeAvatar, "changes"],
  [contract.getProfile, "reads"],
  [contract.changeName, "changes"],
  [contract.deleteAccount, "changes"],
  [contract.listUsers, "searches"],
  [contract.listFriends, "reads"],
  [contract.addFriend, "friends"],
  [contract.changeFriend, "changes"],
  [contract.unfriend, "changes"],
  [contract.listBlocked, "reads"],
  [contract.block, "changes"],
  [contract.unblock, "changes"],
  [getInvite, "reads"],
  [renewInvite, "changes"],
  [findInviter, "searches"],
  [getPush, "reads"],
  [subscribePush, "changes"],
  [unsubscribePush, "changes"],
  [contract.getPrivacy, "reads"],
  [contract.changePrivacy, "changes"],
]);

export type Limits = ReturnType<typeof createLimits>;

/** Returns the name of a limit as the metrics label and in the keys of Redis. */
const labelOf = (name: LimitName) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the limits. Those that protect passwords count in Redis, for all instances together. */
export function createLimits(redis: Redis, rates: LimitRates) {
  const options = (name: LimitName) => ({ name: labelOf(name), rate: rates[name], text: RATE_LIMITS[name].text });
  const local = (name: LimitName) => createLocalRateLimit(options(name));
  const shared = (name: LimitName) => createRateLimit({ redis, ...options(name) });
  // An attempt is given back to these unless its password is wrong, so an exceeded limit cannot be cached in memory.
  const returnable = (name: LimitName) => createRateLimit({ redis, ...options(name), isReturnable: true });
  const limits = {
    registrations: shared("registrations"),
    logins: shared("logins"),
    failedLogins: returnable("failedLogins"),
    failedLoginsFromAnywhere: returnable("failedLoginsFromAnywhere"),
    failedLoginsOfAddress: returnable("failedLoginsOfAddress"),
    wrongOldPasswords: returnable("wrongOldPasswords"),
    reads: local("reads"),
    changes: local("changes"),
    friends: local("friends"),
    searches: local("searches"),
  };
  return { ...limits, of: limitFinder(LIMIT_OF, limits) };
}
