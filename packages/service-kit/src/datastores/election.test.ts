import { silenceProgress } from "@messageoh/stack/command/progress";
import { findPrimary, type MongoUrls, startMongo, withMember } from "@messageoh/stack/dependencies/mongo";
import { freePort } from "@messageoh/stack/ports";
import type { Supervisor } from "@messageoh/stack/processes/supervisor";
import { temporarySupervisor } from "@messageoh/stack/processes/temporarySupervisor";
import { type Connection, Schema } from "mongoose";
import { silentLogger } from "../../testing/datastores.ts";
import { until } from "../../testing/until.ts";
import { connectMongo, nativeCollection } from "./mongo.ts";

/**
 * One member votes at once but stores each write later, so that a new primary waits this long for its first majority.
 */
const DELAY_S = 2;

let supervisor: Supervisor;
let stop: () => Promise<void>;
let urls: MongoUrls;
let connection: Connection;
beforeAll(async () => {
  silenceProgress();
  ({ supervisor, stop } = await temporarySupervisor("election"));
  urls = await startMongo({ supervisor, dataDir: supervisor.dir, portFor: () => freePort() }, 3);
  connection = await connectMongo(urls["svc-users"], "users", silentLogger);
}, 60_000);
afterAll(async () => {
  await connection.close();
  await stop();
});

/** Delays a member that is not the primary. */
async function delayOne(): Promise<void> {
  await withMember(urls.operator, undefined, async (admin) => {
    const { config } = await admin.command({ replSetGetConfig: 1 });
    const { primary } = await admin.command({ hello: 1 });
    const delayed = config.members.findLast(({ host }: { host: string }) => host !== primary);
    Object.assign(delayed, { priority: 0, secondaryDelaySecs: DELAY_S });
    await admin.command({ replSetReconfig: { ...config, version: config.version + 1 } });
  });
}

/** Returns the term of the primary, and the term of the newest write that it knows a majority to have. */
const termsOf = () =>
  withMember(urls.operator, undefined, async (admin) => {
    const { term, optimes } = await admin.command({ replSetGetStatus: 1 });
    return { term: Number(term), confirmed: Number(optimes.lastCommittedOpTime.t) };
  });

it("waits with a read until a majority has confirmed the election of the primary", async () => {
  await delayOne();
  const rows = nativeCollection<{ _id: string }>(connection, "rows");
  const model = connection.model("Row", new Schema({ _id: String }), "rows");
  await rows.insertOne({ _id: "a" });
  const before = await termsOf();
  expect(before.confirmed).toBe(before.term);

  const primary = await findPrimary(supervisor.processes());
  process.kill(primary?.pid as number, "SIGKILL");
  await until(() =>
    Promise.all([rows.findOne({ _id: "a" }), model.findById("a")]).then(
      (found) => !found.includes(null),
      () => false,
    ),
  );
  const { term, confirmed } = await termsOf();
  expect(term).toBeGreaterThan(before.term);
  expect(confirmed).toBe(term);
}, 60_000);
