/**
 * Records when the messages that this instance delivered recently were stored, per user. The backfill compares the counts
 * with the database before it reads any message.
 */
export class DeliveryLog {
  readonly #timesOf = new Map<string, number[]>();

  /** @param storedAt Unix time in milliseconds, by the clock of the svc-messages instance that stored the message */
  add(userId: string, storedAt: number): void {
    const times = this.#timesOf.get(userId);
    if (times) times.push(storedAt);
    else this.#timesOf.set(userId, [storedAt]);
  }

  /** Returns the number of delivered messages per user that were stored from `since` on and before `until`. */
  counts(userIds: readonly string[], since: number, until: number): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const userId of userIds) {
      const times = this.#timesOf.get(userId)?.filter((time) => time >= since && time < until);
      if (times?.length) counts[userId] = times.length;
    }
    return counts;
  }

  /** Drops the records of messages stored before a Unix time in milliseconds. */
  dropBefore(time: number): void {
    for (const [userId, times] of this.#timesOf) {
      const remaining = times.filter((storedAt) => storedAt >= time);
      if (remaining.length > 0) this.#timesOf.set(userId, remaining);
      else this.#timesOf.delete(userId);
    }
  }
}
