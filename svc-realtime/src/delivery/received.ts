/**
 * When the messages were stored that this instance has brought to users lately, so that a look into the database can
 * begin with comparing numbers.
 */
export class Received {
  readonly #timesOf = new Map<string, number[]>();

  /** @param storedAt in milliseconds, by the clock of who stored it */
  add(userId: string, storedAt: number): void {
    const times = this.#timesOf.get(userId);
    if (times) times.push(storedAt);
    else this.#timesOf.set(userId, [storedAt]);
  }

  /** How many messages each of these users received that were stored from `since` on and before `until`. */
  counts(userIds: readonly string[], since: number, until: number): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const userId of userIds) {
      const times = this.#timesOf.get(userId)?.filter((time) => time >= since && time < until);
      if (times?.length) counts[userId] = times.length;
    }
    return counts;
  }

  forgetBefore(moment: number): void {
    for (const [userId, times] of this.#timesOf) {
      const later = times.filter((time) => time >= moment);
      if (later.length > 0) this.#timesOf.set(userId, later);
      else this.#timesOf.delete(userId);
    }
  }
}
