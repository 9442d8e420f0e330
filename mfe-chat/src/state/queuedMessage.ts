/** A message that is on its way to the server, as it lies in browser storage. */
export interface QueuedMessage {
  client_id: string;
  thread_id: string;
  recipient_user_id: string;
  text: string;
  /** ISO. */
  timestamp: string;
  /** When it was written or last retried, in ms: the order of the queue and the begin of its time. */
  queued_at: number;
  state: "sending" | "not-sent";
  /** What the server said when it refused it. */
  reason?: string;
}
