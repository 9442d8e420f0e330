/** A refusal whose text the client may show. */
export class Refusal extends Error {
  readonly isRetryable: boolean;

  constructor(message: string, isRetryable = false) {
    super(message);
    this.isRetryable = isRetryable;
  }
}
