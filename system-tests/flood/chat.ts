import { Account, type ChatSocket, pause } from "../client/account.ts";

interface Pair {
  sender: Account;
  recipient: Account;
  thread_id: string;
  socket: ChatSocket;
}

/** Pairs of friends who chat at a steady rate, and how long each message takes from one to the other. */
export async function startChat(url: string, count: number) {
  const pairs: Pair[] = [];
  const sockets: ChatSocket[] = [];
  let waits: number[] = [];
  let sent = 0;

  for (let index = 0; index < count; index += 1) {
    const [sender, recipient] = await Promise.all([Account.register(url, "Ann"), Account.register(url, "Bob")]);
    const thread_id = await sender.befriend(recipient);
    const [socket, listener] = [sender.connect(), recipient.connect()];
    listener.on("receive_message", ({ text }) => waits.push(performance.now() - Number(text)));
    sockets.push(socket, listener);
    pairs.push({ sender, recipient, thread_id, socket });
  }
  while (sockets.some(({ connected }) => !connected)) await pause(50);

  return {
    /** Chats for a while. Answers each message's way in milliseconds, shortest first, and how many did not arrive. */
    async measure(seconds: number, perSecond: number): Promise<{ waits: number[]; missing: number }> {
      waits = [];
      sent = 0;
      const startedAt = performance.now();
      while (performance.now() < startedAt + seconds * 1_000) {
        const { sender, recipient, thread_id, socket } = pairs[sent % pairs.length] as Pair;
        const route = { thread_id, sending_user_id: sender.id, recipient_user_id: recipient.id };
        socket.emit("send_message", { ...route, text: String(performance.now()), read: false });
        sent += 1;
        const late = startedAt + (sent * 1_000) / perSecond - performance.now();
        if (late > 0) await pause(late);
      }
      for (let tries = 0; waits.length < sent && tries < 50; tries += 1) await pause(100);
      return { waits: waits.toSorted((a, b) => a - b), missing: sent - waits.length };
    },
    close() {
      for (const socket of sockets) socket.disconnect();
    },
  };
}
