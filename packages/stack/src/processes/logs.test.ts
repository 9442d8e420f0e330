import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lastLines } from "./logs.ts";

it("returns the end of a long last line", () => {
  const dir = mkdtempSync(join(tmpdir(), "messageoh-log-"));
  const file = join(dir, "part.log");
  writeFileSync(file, `first\n${"x".repeat(1_000_000)}end\n`);
  expect(lastLines(file)).toMatch(/^ {4}x{16380}end$/);
  rmSync(dir, { recursive: true });
});
