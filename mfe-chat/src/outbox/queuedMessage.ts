/** Unsent message as stored in the browser. */
export interface QueuedMessage {
  client_id: string;
  thread_id: string;
  recipient_user_id: string;
  text: string;
  /** ISO. */
  timestamp: string;
  /** Time of writing or of the last retry in ms. It defines the order of the queue and starts the deadline. */
  queued_at: number;
  state: "sending" | "not-sent";
  /** No attempt to send it has begun, in any tab. Without this mark, the server may have stored it. */
  is_untried?: true;
  /** Reason of the server for refusing the message. */
  reason?: string;
}
