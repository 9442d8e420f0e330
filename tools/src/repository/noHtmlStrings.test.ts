import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";

/** APIs that create HTML or code from a string and could turn a message into markup. */
const UNSAFE_APIS =
  /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|createContextualFragment|DOMParser|document\.write|\beval\(|new Function\(/;

const FOLDERS = ["shell/src", "mfe-auth/src", "mfe-chat/src", "packages/ui-kit/src", "packages/contracts/src"];

it.each(FOLDERS)("creates no HTML or code from strings in %s", (folder) => {
  const dir = join(repoRoot(), folder);
  const files = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) => /\.(?:tsx?|ejs)$/.test(name));
  expect(files.length).toBeGreaterThan(0);
  const found = files.filter((name) => UNSAFE_APIS.test(readFileSync(join(dir, name), "utf8")));
  expect(found).toEqual([]);
});
