import type { Message } from "@messageoh/contracts/messages";

/** Returns a stored message from ann to bob. */
export const aMessage = (parts: Partial<Message> = {}): Message => {
  const { thread_id = "ann-bob", seq = 1 } = parts;
  return {
    id: `${thread_id}-${seq}`,
    client_id: null,
    thread_id,
    seq,
    sending_user_id: "ann",
    recipient_user_id: "bob",
    text: "hello",
    timestamp: "2026-01-01T00:00:00.000Z",
    read: false,
    ...parts,
  };
};
