import { readArguments } from "@messageoh/cli/arguments";

const HELP = `npm run chaos -- [options]
  --minutes N      duration of the fault injection (2)
  --users N        users of the product's client at the start, three clients each (50)
  --reach N        each user has twice as many friends at the start (2)
  --rate N         messages per second of these users in total (80)
  --crowd N        further users with one light client each, who carry load (120)
  --crowd-rate N   messages per second of these users in total (450)
  --actions N      log-ins, log-outs, registrations, blocks, deleted accounts, ... per second (2)
  --fault-every S  average seconds between two faults (4), 0 for no faults
  --alone          injects each fault once, one after the other, instead of for --minutes
  --seed N         repeats the order of faults and messages
  --only TEXT      injects only the faults whose names contain this text; repeatable
  --from COMMIT    starts that version and upgrades each part to this one and back, instead of the faults
  --messages N     svc-messages instances (2)
  --small          one instance of each part
  --patience S     seconds until each pair must exchange a message after the last fault (30)
  --json FILE      writes the results to a file
  --breakages      breaks the product in many ways, one by one, and checks that a short run notices each
  --breakage TEXT  like --breakages, for those whose name contains this text`;

/** Returns the options of the command line. */
export const readOptions = () =>
  readArguments(HELP, {
    options: {
      minutes: { type: "string", default: "2" },
      users: { type: "string", default: "50" },
      reach: { type: "string", default: "2" },
      rate: { type: "string", default: "80" },
      crowd: { type: "string", default: "120" },
      "crowd-rate": { type: "string", default: "450" },
      actions: { type: "string", default: "2" },
      "fault-every": { type: "string", default: "4" },
      alone: { type: "boolean", default: false },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      only: { type: "string", multiple: true, default: [] },
      from: { type: "string" },
      messages: { type: "string", default: "2" },
      small: { type: "boolean", default: false },
      patience: { type: "string", default: "30" },
      json: { type: "string" },
      breakages: { type: "boolean", default: false },
      breakage: { type: "string", default: "" },
    },
  }).values;

export type Options = ReturnType<typeof readOptions>;
