import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StackFile } from "./stackFile.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "messageoh-stack-file-"));
});

afterEach(() => {
  rmSync(dir, { recursive: true });
});

it("keeps the secret and the ports of the last start in a file for its owner only", async () => {
  const first = new StackFile(dir);
  const ports = [await first.portFor("redis"), await first.portFor("mongo")];
  const second = new StackFile(dir);
  expect([await second.portFor("redis"), await second.portFor("mongo")]).toEqual(ports);
  expect(second.secret).toBe(first.secret);
  expect(second.secret).toHaveLength(43);
  expect(statSync(join(dir, "stack.json")).mode & 0o777).toBe(0o600);
});

it("replaces a port that another program has taken", async () => {
  const port = await new StackFile(dir).portFor("redis");
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
  expect(await new StackFile(dir).portFor("redis")).not.toBe(port);
  other.close();
});
