import { readFileSync } from "node:fs";

// A service of a stack with links loads this module before its own code. It shifts the wall clock by the milliseconds
// in the file STACK_CLOCK, which a test may change. Timers use the monotonic clock, which a wrong time does not affect.
const file = process.env.STACK_CLOCK;
const CHECK_EVERY_MS = 250;

const realNow = Date.now;
let offsetMs = 0;
Date.now = () => realNow() + offsetMs;
globalThis.Date = new Proxy(Date, {
  construct: (date, given, target) => Reflect.construct(date, given.length === 0 ? [date.now()] : given, target),
  apply: (date) => new date(date.now()).toString(),
});

function readOffset(): void {
  try {
    offsetMs = file ? Number(readFileSync(file, "utf8")) || 0 : 0;
  } catch {
    offsetMs = 0;
  }
}
readOffset();
setInterval(readOffset, CHECK_EVERY_MS).unref();
