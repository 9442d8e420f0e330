import { readOptions } from "@messageoh/stack/command/arguments";

/** Returns the options of the command line. */
export function readChaosOptions() {
  const { values } = readOptions("npm run chaos", {
    minutes: [2, "N", "duration of the fault injection"],
    users: [50, "N", "users of the product's client at the start, three clients each"],
    reach: [2, "N", "each user has twice as many friends at the start"],
    rate: [80, "N", "messages per second of these users in total"],
    crowd: [120, "N", "further users with one light client each, who carry load"],
    "crowd-rate": [450, "N", "messages per second of these users in total"],
    actions: [2, "N", "log-ins, log-outs, registrations, blocks, deleted accounts, ... per second"],
    without: [[], "TEXT", "leaves out the actions whose names contain this text; repeatable"],
    "fault-every": [4, "S", "average seconds between two faults, 0 for no faults"],
    alone: [false, "", "injects each fault once, one after the other, instead of for --minutes"],
    seed: [Number.NaN, "N", "repeats the order of faults and messages"],
    only: [[], "TEXT", "only the faults, or breakages, whose names contain this text; repeatable"],
    from: [undefined, "COMMIT", "instead of the faults, upgrades each part of that version to this one and back"],
    "redis-nodes": [1, "N", "nodes of Redis; several are a cluster, with a replica each"],
    small: [false, "", "one instance of each part"],
    patience: [30, "S", "seconds until each pair must exchange a message after the last fault, on a fast machine"],
    json: [undefined, "FILE", "writes the results to a file"],
    breakages: [false, "", "breaks the product in many ways, one by one, and checks that a short run notices each"],
  });
  return { ...values, seed: Number.isNaN(values.seed) ? Date.now() % 1_000_000 : values.seed };
}

export type Options = ReturnType<typeof readChaosOptions>;
