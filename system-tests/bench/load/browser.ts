import { updateMessageRead } from "@messageoh/contracts/messages";
import { Account, pause } from "../../client/account.ts";
import { connectSocket, type SocketConnection } from "../../client/socketConnection.ts";

const MESSAGES_PER_READ = 5;
/** A visitor has as many friends, and there are as many users per visitor. */
export const FRIENDS_PER_VISITOR = 10;
const VISIT_MS = 2_000;
/** Longer than the time after which a visitor's friends learn that the visitor is offline. */
const ABSENCE_MS = 11_000;
/** Time from one visit of a visitor to the next. */
export const SECONDS_BETWEEN_VISITS = (VISIT_MS + ABSENCE_MS) / 1_000;

/**
 * Adds a browser's other events to a connection: typing before and after each message, a delivery receipt for each
 * received message and a read marker for every fifth. One receipt or marker is in flight at a time.
 */
export async function actAsBrowser(connection: SocketConnection, account: Account): Promise<void> {
  const { send, route } = connection;
  const { thread_id } = route;
  let unread = 0;
  let isBusy = false;

  async function mark(seq: number): Promise<void> {
    isBusy = true;
    await connection.request("message_delivered", { thread_id, seq });
    if (unread >= MESSAGES_PER_READ) {
      unread = 0;
      await account.call(updateMessageRead, { body: { thread_id, seq } });
    }
    isBusy = false;
  }

  await connection.request("join_room", route);
  connection.send = (n) => {
    connection.emit("typing", { thread_id, is_typing: true });
    send(n);
    connection.emit("typing", { thread_id, is_typing: false });
  };
  connection.onMessage = (frame) => {
    unread += 1;
    if (!isBusy) void mark(Number(/"seq":(\d+)/.exec(frame)?.[1]));
  };
}

/**
 * Changes presence: visitors with ten friends each connect for 2 seconds, repeatedly. Returns a function that stops
 * them.
 */
export async function startVisits(
  url: string,
  users: readonly { account: Account; connection: SocketConnection }[],
): Promise<() => Promise<void>> {
  const visitors = await Promise.all(
    Array.from({ length: Math.floor(users.length / FRIENDS_PER_VISITOR) }, async (_, index) => {
      const hosts = users.slice(index * FRIENDS_PER_VISITOR, (index + 1) * FRIENDS_PER_VISITOR);
      const visitor = await Account.register(url, "Visitor");
      for (const { account, connection } of hosts) {
        await visitor.befriend(account);
        await connection.request("join_room", { sending_user_id: account.id, recipient_user_id: visitor.id });
      }
      return { visitor, hosts };
    }),
  );
  let isOver = false;
  const visits = visitors.map(async ({ visitor, hosts }, index) => {
    await pause((index / visitors.length) * (VISIT_MS + ABSENCE_MS));
    while (!isOver) {
      const connection = await connectSocket({ url, cookie: visitor.cookie });
      for (const { account } of hosts) {
        await connection.request("join_room", { sending_user_id: visitor.id, recipient_user_id: account.id });
      }
      await pause(VISIT_MS);
      connection.close();
      if (!isOver) await pause(ABSENCE_MS);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(visits);
  };
}
