import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { publishFrontends } from "./publish.ts";

const LONG = "x".repeat(2_000);
let root: string;
let www: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "messageoh-publish-"));
  www = join(root, "www");
  put("shell/dist/index.html", "page 1");
  put("shell/dist/assets/main.1.js", LONG);
  put("mfe-auth/dist/mf-manifest.json", "{}");
  put("mfe-chat/dist/mf-manifest.json", '{"name":"mfe_chat"}');
  put("mfe-chat/dist/remoteEntry.1.js", LONG);
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function put(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

const read = (path: string): string => readFileSync(join(www, path), "utf8");

test("a pointer leads to a release folder that is named by its content", async () => {
  await publishFrontends(root, www);
  const pointer = JSON.parse(read("mfe-chat/current.json"));
  expect(pointer).toEqual({
    name: "mfe_chat",
    release: expect.stringMatching(/^[0-9a-f]{12}$/),
    entry: `/mfe-chat/${pointer.release}/mf-manifest.json`,
    manifest: { name: "mfe_chat" },
  });
  expect(read(`mfe-chat/${pointer.release}/remoteEntry.1.js`)).toBe(LONG);
  const compressed = readFileSync(join(www, "mfe-chat", pointer.release, "remoteEntry.1.js.gz"));
  expect(gunzipSync(compressed).toString()).toBe(LONG);
});

test("a new release stands beside the old one; publishing the same again makes none", async () => {
  await publishFrontends(root, www);
  await publishFrontends(root, www);
  expect(releases("mfe-chat")).toHaveLength(1);
  put("mfe-chat/dist/remoteEntry.1.js", `${LONG}!`);
  await publishFrontends(root, www);
  expect(releases("mfe-chat")).toHaveLength(2);
  expect(releases("mfe-auth")).toHaveLength(1);
});

test("the shell's page changes in place, its former assets stay, and the page is not compressed", async () => {
  await publishFrontends(root, www);
  rmSync(join(root, "shell/dist/assets/main.1.js"));
  put("shell/dist/assets/main.2.js", LONG);
  put("shell/dist/index.html", "page 2");
  await publishFrontends(root, www);
  expect(read("shell/index.html")).toBe("page 2");
  expect(readdirSync(join(www, "shell/assets")).sort()).toEqual([
    "main.1.js",
    "main.1.js.gz",
    "main.2.js",
    "main.2.js.gz",
  ]);
  expect(existsSync(join(www, "shell/index.html.gz"))).toBe(false);
});

function releases(name: string): string[] {
  return readdirSync(join(www, name)).filter((entry) => entry !== "current.json");
}
