/**
 * Formats in the order of preference: each of the first two plays in all current browsers, with its length and at any
 * position. Firefox records the first one, Chromium the second one, and Safari before 18.4 only the last one.
 */
const TYPES = ["audio/ogg;codecs=opus", "audio/webm;codecs=opus", "audio/mp4"];

/**
 * Returns the format in which this browser records; `undefined` if it cannot. WebKitGTK has a recorder without formats.
 */
export const recordedType = (): string | undefined =>
  typeof MediaRecorder === "undefined" ? undefined : TYPES.find((type) => MediaRecorder.isTypeSupported(type));
