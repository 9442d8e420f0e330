/** Refuses an event. The client may show the message to the user. */
export class Refusal extends Error {
  /** Whether the client may send the same event again later. */
  readonly isRetryable: boolean;

  constructor(message: string, isRetryable = false) {
    super(message);
    this.isRetryable = isRetryable;
  }
}

/** Refusal of a message by svc-messages, which never stores it under its `client_id`. */
export class RecordedRefusal extends Refusal {}
