import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";
import { findBrowser } from "@messageoh/stack/dependencies/browser";
import { chromium } from "@playwright/test";

// node tools/src/icons.ts: renders the icons of the web app manifest. Run it after a change of the pictures.
const FOLDER = join(repoRoot(), "shell/icons");
const FAVICON = join(repoRoot(), "packages/ui-kit/src/art/favicon.svg");
const MASKABLE = join(FOLDER, "maskable.svg");
const ICONS = [
  { file: "icon-192.png", picture: FAVICON, size: 192 },
  { file: "icon-512.png", picture: FAVICON, size: 512 },
  // Systems cut these into their own shape, so the background fills them.
  { file: "maskable-512.png", picture: MASKABLE, size: 512 },
  { file: "apple-touch-icon.png", picture: MASKABLE, size: 180 },
];

const { CHROME_PATH } = await findBrowser(repoRoot());
const browser = await chromium.launch({ executablePath: CHROME_PATH, args: ["--no-sandbox", "--disable-gpu"] });
for (const { file, picture, size } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const svg = (await readFile(picture, "utf8")).replace('width="96" height="96"', `width="${size}" height="${size}"`);
  await page.setContent(`<body style="margin:0">${svg}</body>`);
  await writeFile(join(FOLDER, file), await page.screenshot({ omitBackground: true }));
}
await browser.close();
