import type { NewMessage } from "../src/internal/messages.ts";

let counter = 0;

/** Returns a message from ann to bob that is not stored yet. */
export const aNewMessage = (parts: Partial<NewMessage> = {}): NewMessage => ({
  client_id: `client-${++counter}`,
  thread_id: "ann-bob",
  sending_user_id: "ann",
  recipient_user_id: "bob",
  text: "hello",
  request_id: "request-1",
  origin: "socket-1",
  ...parts,
});
