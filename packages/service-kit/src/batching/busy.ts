/** The error of a request that found a full queue, or waited too long. The caller may retry it. */
export class Busy extends Error {}
