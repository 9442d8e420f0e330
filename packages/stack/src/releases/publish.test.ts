import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { safeParse } from "@messageoh/contracts/parse";
import { remotePointer, shellPointer } from "@messageoh/contracts/releases";
import { FRONTENDS, type Frontend } from "./frontends.ts";
import { makeLive, prune, releaseBefore, setServiceWorkerRemoved, startCanary } from "./live.ts";
import { publishFrontends } from "./publish.ts";
import { Store } from "./store.ts";

const LONG = "x".repeat(2_000);
const CHAT = FRONTENDS[2];
let root: string;
let www: string;

const manifestOf = (...pages: string[]): string =>
  JSON.stringify({
    metaData: { pageProps: 1, publicPath: "auto", remoteEntry: { name: "remoteEntry.1.js", type: "global" } },
    exposes: pages.map((page) => ({ path: `./${page}` })),
    shared: [{ name: "react", requiredVersion: "^19.0.0" }],
  });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "messageoh-publish-"));
  www = join(root, "www");
  for (const { name } of FRONTENDS) put(`${name}/package.json`, JSON.stringify({ version: "1.2.3" }));
  const contract = { pages: ["mfe_chat/ChatPage"], pageProps: { oldest: 1, newest: 1 }, react: "19.3.1" };
  put("shell/dist/contract.json", JSON.stringify(contract));
  put("shell/dist/index.html", "page 1");
  put("shell/dist/assets/main.1.js", LONG);
  put("mfe-auth/dist/mf-manifest.json", manifestOf("LoginPage", "RegisterPage"));
  put("mfe-chat/dist/mf-manifest.json", manifestOf("ChatPage"));
  put("mfe-chat/dist/remoteEntry.1.js", LONG);
  process.env.RELEASE_COMMIT = "abcdef0123456789";
});

afterEach(() => {
  delete process.env.RELEASE_COMMIT;
  rmSync(root, { recursive: true });
});

function put(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

const read = (path: string): string => readFileSync(join(www, path), "utf8");
const pointerOf = (name: string) => JSON.parse(read(`${name}/current.json`));
const foldersOf = (name: string): string[] =>
  readdirSync(join(www, name)).filter((entry) => existsSync(join(www, name, entry, "release.json")));

/** Publishes mfe-chat with this content from a commit of that name. */
async function releaseChat(content: string): Promise<string> {
  process.env.RELEASE_COMMIT = content.padEnd(7, "0");
  put("mfe-chat/dist/remoteEntry.1.js", content);
  await publishFrontends(root, www);
  return pointerOf("mfe-chat").release;
}

const storeOf = (frontend: Frontend) => new Store(www, frontend);
const find = async (name: string) => {
  const found = (await storeOf(CHAT).releases()).find(({ release }) => release === name);
  if (!found) throw new Error(`${name} does not exist`);
  return found;
};

it("writes a pointer to a folder named after version and commit, with the contract of the release", async () => {
  await publishFrontends(root, www);
  expect(pointerOf("mfe-chat")).toEqual({
    name: "mfe_chat",
    release: "1.2.3-abcdef0",
    entry: "/mfe-chat/1.2.3-abcdef0/mf-manifest.json",
    contract: { exposes: ["./ChatPage"], pageProps: 1, react: "^19.0.0" },
    manifest: JSON.parse(manifestOf("ChatPage")),
    since: expect.any(String),
  });
  expect(safeParse(remotePointer, pointerOf("mfe-chat")).error).toBeUndefined();
  expect(safeParse(shellPointer, pointerOf("shell")).error).toBeUndefined();
  expect(read("mfe-chat/1.2.3-abcdef0/remoteEntry.1.js")).toBe(LONG);
  const compressed = readFileSync(join(www, "mfe-chat/1.2.3-abcdef0/remoteEntry.1.js.gz"));
  expect(gunzipSync(compressed).toString()).toBe(LONG);
});

it("never overwrites a folder: other content under the same name gets its own folder", async () => {
  await publishFrontends(root, www);
  put("mfe-chat/dist/remoteEntry.1.js", "other");
  await publishFrontends(root, www);
  expect(read("mfe-chat/1.2.3-abcdef0/remoteEntry.1.js")).toBe(LONG);
  expect(pointerOf("mfe-chat").release).toMatch(/^1\.2\.3-abcdef0-[0-9a-f]{6}$/);
  expect(foldersOf("mfe-auth")).toHaveLength(1);
});

it("keeps a rollback and a canary on a restart without changes", async () => {
  const first = await releaseChat("first");
  const second = await releaseChat("second");
  await makeLive(storeOf(CHAT), await find(first));
  await startCanary(storeOf(CHAT), await find(second), 10);
  await publishFrontends(root, www);
  expect(pointerOf("mfe-chat")).toMatchObject({ release: first, canary: { release: second, percent: 10 } });
  await releaseChat("third");
  expect(pointerOf("mfe-chat").release).toMatch(/third/);
});

it("rolls back to the release that was live before, never to an ended canary", async () => {
  const store = storeOf(CHAT);
  const first = await releaseChat("first");
  const second = await releaseChat("second");
  const third = await releaseChat("third");
  await startCanary(store, await find(second), 10);
  expect(releaseBefore(await store.state(), third)).toBe(second);
  await makeLive(store, await find(second));
  expect(releaseBefore(await store.state(), second)).toBe(first);
  expect(releaseBefore(await store.state(), first)).toBeUndefined();
});

it("keeps the live release and the five before it, and removes older ones", async () => {
  const names: string[] = [];
  for (const content of ["r1", "r2", "r3", "r4", "r5", "r6", "r7"]) names.push(await releaseChat(content));
  expect(foldersOf("mfe-chat").sort()).toEqual(names.slice(1).sort());
  await makeLive(storeOf(CHAT), await find(names[1] ?? ""));
  await releaseChat("r8");
  // r2 was the last live release.
  expect(foldersOf("mfe-chat")).toContain(names[1]);
  expect(foldersOf("mfe-chat")).toHaveLength(6);
});

it("replaces the shell's page in place and keeps the files of former releases until they are pruned", async () => {
  await publishFrontends(root, www);
  rmSync(join(root, "shell/dist/assets/main.1.js"));
  put("shell/dist/assets/main.2.js", LONG);
  put("shell/dist/index.html", "page 2");
  await publishFrontends(root, www);
  expect(read("shell/index.html")).toBe("page 2");
  expect(existsSync(join(www, "shell/index.html.gz"))).toBe(false);
  const assets = () => readdirSync(join(www, "shell/assets")).sort();
  expect(assets()).toEqual(["main.1.js", "main.1.js.gz", "main.2.js", "main.2.js.gz"]);
  const store = storeOf(FRONTENDS[0]);
  const { history, checkouts } = await store.state();
  await store.setState({ checkouts, history: history.slice(-1) });
  await prune(store);
  expect(assets()).toEqual(["main.2.js", "main.2.js.gz"]);
});

it("keeps the service worker removed over releases of the shell until it is restored", async () => {
  const shell = storeOf(FRONTENDS[0]);
  const releaseShell = async (content: string): Promise<void> => {
    process.env.RELEASE_COMMIT = content.padEnd(7, "0");
    put("shell/dist/service-worker.js", `worker of ${content}`);
    put("shell/dist/service-worker-removal.js", "removal");
    await publishFrontends(root, www);
  };
  await releaseShell("a1");
  expect(read("shell/service-worker.js")).toBe("worker of a1");
  expect(pointerOf("shell").isServiceWorkerRemoved).toBe(false);

  await setServiceWorkerRemoved(shell, true);
  await releaseShell("b2");
  expect(read("shell/service-worker.js")).toBe("removal");
  expect(pointerOf("shell")).toMatchObject({ release: "1.2.3-b200000", isServiceWorkerRemoved: true });
  expect(safeParse(shellPointer, pointerOf("shell")).error).toBeUndefined();

  await setServiceWorkerRemoved(shell, false);
  expect(read("shell/service-worker.js")).toBe("worker of b2");
});
