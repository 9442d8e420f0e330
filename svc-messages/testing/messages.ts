import type { NewMessage } from "@messageoh/contracts/messages";

let counter = 0;

/** Returns a new message from ann to bob. */
export const aMessage = (parts: Partial<NewMessage> = {}): NewMessage => ({
  client_id: `client-${++counter}`,
  thread_id: "ann-bob",
  sending_user_id: "ann",
  recipient_user_id: "bob",
  text: "hello",
  request_id: "request-1",
  origin: "socket-1",
  ...parts,
});
