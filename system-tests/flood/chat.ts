import { Account, type ChatSocket, pause } from "../client/account.ts";
import { atRate } from "../client/steadyRate.ts";

interface Pair {
  sender: Account;
  recipient: Account;
  thread_id: string;
  socket: ChatSocket;
}

/** Connects pairs of friends and returns functions that measure their delivery times. */
export async function startChat(url: string, count: number) {
  const pairs: Pair[] = [];
  const sockets: ChatSocket[] = [];
  let deliveryMs: number[] = [];
  let sent = 0;

  for (let index = 0; index < count; index += 1) {
    const { ann: sender, bob: recipient, thread_id } = await Account.registerFriends(url);
    const [socket, listener] = [sender.connect(), recipient.connect()];
    listener.on("receive_message", ({ text }) => deliveryMs.push(performance.now() - Number(text)));
    sockets.push(socket, listener);
    pairs.push({ sender, recipient, thread_id, socket });
  }
  while (sockets.some(({ connected }) => !connected)) await pause(50);

  return {
    /** Sends messages and returns the delivery times in milliseconds, and the number of missing messages. */
    async measure(seconds: number, perSecond: number): Promise<{ deliveryMs: number[]; missing: number }> {
      deliveryMs = [];
      sent = 0;
      const endsAt = performance.now() + seconds * 1_000;
      await atRate({ rate: perSecond, isOver: () => performance.now() >= endsAt }, () => {
        const { sender, recipient, thread_id, socket } = pairs[sent % pairs.length] as Pair;
        const route = { thread_id, sending_user_id: sender.id, recipient_user_id: recipient.id };
        socket.emit("send_message", { ...route, text: String(performance.now()), read: false });
        sent += 1;
      });
      for (let attempt = 0; deliveryMs.length < sent && attempt < 50; attempt += 1) await pause(100);
      return { deliveryMs, missing: sent - deliveryMs.length };
    },
    close() {
      for (const socket of sockets) socket.disconnect();
    },
  };
}
