import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";
import { type Stack, type StackOptions, startStack } from "@messageoh/stack/stack";
import { Account } from "../../client/account.ts";
import type { SocketConnection } from "../../client/socketConnection.ts";
import { inParallel } from "../connections.ts";
import { actAsBrowser, startVisits } from "../load/browser.ts";
import { connectPair } from "./pairs.ts";
import type { Target } from "./target.ts";

/** A connected user. */
export interface User {
  account: Account;
  connection: SocketConnection;
}
export interface FullOptions
  extends Pick<
    StackOptions,
    "usersInstances" | "messagesInstances" | "realtimeInstances" | "mediaInstances" | "gatewayInstances" | "root"
  > {
  /** Adds presence, typing, delivery receipts and read markers to the load. */
  isLive?: boolean;
}

/**
 * Starts the product as `npm start` runs it, without its front ends: every message is checked, stored, delivered and
 * acked.
 */
export async function startFull(
  dataDir: string,
  { isLive = false, ...instances }: FullOptions = {},
): Promise<Target & { stack: Stack; users: readonly User[] }> {
  process.env.BCRYPT_COST = "4";
  process.env.NODE_OPTIONS = `--expose-gc --import=${join(repoRoot(), "system-tests/bench/load/collect.ts")}`;
  const stack = await startStack({ dataDir, ...instances, raisesLimits: true, withoutFrontends: true });
  const url = stack.url.replace("localhost", "127.0.0.1");
  const users: User[] = [];
  let endVisits = async (): Promise<void> => {};
  return {
    name: "full",
    stack,
    users,
    processes: stack.processes,
    async stop() {
      await endVisits();
      await stack.stop();
    },
    async connect(count) {
      await inParallel(count / 2, async () => {
        const { ann, bob, thread_id } = await Account.registerFriends(url);
        const isOnly = instances.realtimeInstances === 1;
        const user = ({ id, cookie }: Account) => ({ url, cookie, id });
        const [one, other] = await connectPair(thread_id, user(ann), user(bob), isOnly);
        users.push({ account: ann, connection: one }, { account: bob, connection: other });
      });
      if (isLive) {
        for (const { connection, account } of users) await actAsBrowser(connection, account);
        endVisits = await startVisits(url, users);
      }
      return users.map(({ connection }) => connection);
    },
  };
}
