import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listReleases } from "./list.ts";

const CONTRACT = { pages: ["mfe_chat/ChatPage"], pageProps: { oldest: 1, newest: 1 }, react: "19.3.1" };
const SINCE = "2026-01-01T00:00:00.000Z";
let www: string;
beforeEach(async () => {
  www = await mkdtemp(join(tmpdir(), "messageoh-list-"));
  await mkdir(join(www, "shell/s1"), { recursive: true });
  const release = { release: "s1", content: "c", madeAt: SINCE, contract: CONTRACT };
  await writeFile(join(www, "shell/s1/release.json"), JSON.stringify(release));
});
afterEach(() => rm(www, { recursive: true }));

/** Returns the list while the pointer of the shell contains these fields. */
async function listed(fields: object): Promise<string> {
  const pointer = { name: "shell", release: "s1", since: SINCE, contract: CONTRACT, ...fields };
  await writeFile(join(www, "shell/current.json"), JSON.stringify(pointer));
  const write = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  await listReleases({ www, url: undefined });
  const output = write.mock.calls.map(([text]) => String(text)).join("");
  write.mockRestore();
  return output;
}

it("shows that the service worker is removed, until it is restored", async () => {
  expect(await listed({})).toMatch(/^shell +s1 +live /m);
  expect(await listed({ isServiceWorkerRemoved: false })).not.toContain("service worker");
  expect(await listed({ isServiceWorkerRemoved: true })).toContain("the service worker is removed from all browsers");
});
