import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repoRoot } from "@messageoh/cli/root";

/** Ways to make a page out of a string, past React: with one of them a message could become part of the page. */
const WAYS =
  /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|createContextualFragment|DOMParser|document\.write|\beval\(|new Function\(/;

const FOLDERS = ["shell/src", "mfe-auth/src", "mfe-chat/src", "packages/ui-kit/src", "packages/contracts/src"];

it.each(FOLDERS)("nothing in %s makes a page out of a string", (folder) => {
  const dir = join(repoRoot(), folder);
  const files = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) => /\.(?:tsx?|ejs)$/.test(name));
  expect(files.length).toBeGreaterThan(0);
  const found = files.filter((name) => WAYS.test(readFileSync(join(dir, name), "utf8")));
  expect(found).toEqual([]);
});
