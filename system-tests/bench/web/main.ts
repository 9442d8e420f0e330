import { writeFile } from "node:fs/promises";
import { readOptions } from "@messageoh/cli/arguments";
import { runCommand } from "@messageoh/cli/command";
import { logProgress } from "@messageoh/cli/progress";
import { repoRoot } from "@messageoh/cli/root";
import { findBrowser } from "@messageoh/stack/dependencies/browser";
import { startStackFor } from "@messageoh/stack/stack";
import type { Browser } from "@playwright/test";
import { launchBrowser } from "../../client/realBrowser.ts";
import { format } from "../figures.ts";
import { type Interaction, interact, loadHistory, openHome } from "./interaction.ts";
import { PROFILES, type Screen, visitTwice } from "./loading.ts";
import { interactionReport, type LoadingSample, loadingReport } from "./report.ts";
import { measureScores, type StorageState, scoresReport } from "./scores.ts";
import { type Crowd, seedCrowd } from "./seed.ts";
import { measureTasks, tasksReport } from "./tasks.ts";

// npm run bench:web measures the front ends in a browser.
const { values, reject } = readOptions("npm run bench:web", {
  rounds: [5, "N", "rounds"],
  only: [undefined, "WHAT", "loading, interaction, tasks (on a slow CPU) or scores (Lighthouse); default: all"],
  json: [undefined, "FILE", "also writes the figures as JSON"],
});
const PARTS = ["loading", "interaction", "tasks", "scores"];
if (values.only && !PARTS.includes(values.only)) reject(`--only takes ${PARTS.join(", ")}, not ${values.only}`);
const isWanted = (part: string) => (values.only ?? part) === part;
const ROUNDS = values.rounds;
const FRIENDS = 500;
const MESSAGES = 10_000;

Object.assign(process.env, { BCRYPT_COST: "4", LOG_LEVEL: "warn" });
await runCommand("bench-web", async (command) => {
  const { atEnd } = command;
  const stack = await startStackFor(command, { raisesLimits: true });
  const { CHROME_PATH } = await findBrowser(repoRoot());
  const browser = await launchBrowser(command, CHROME_PATH);
  logProgress(`creating ${FRIENDS} friends and ${MESSAGES} messages ...`);
  const crowd = await seedCrowd(stack.url, FRIENDS, MESSAGES);
  atEnd(crowd.close);
  const session = signedIn(stack.url, crowd);

  const loading = isWanted("loading") ? await measureLoading(browser, stack.url, crowd) : [];
  const loadingFigures = loadingReport(loading);
  const interaction = isWanted("interaction") ? await measureInteraction(browser, stack.url, crowd) : [];
  const interactionFigures = interactionReport(interaction);
  const tasks = isWanted("tasks") ? await measureTasks(browser, stack.url, session, crowd, ROUNDS) : [];
  const tasksFigures = tasksReport(tasks);
  const scores = isWanted("scores") ? await measureScores(CHROME_PATH, stack.url, session, ROUNDS) : [];
  const figures = { ...loadingFigures, ...interactionFigures, ...tasksFigures, ...scoresReport(scores) };
  const samples = { loading, interaction, tasks, scores };
  if (values.json) await writeFile(values.json, `${JSON.stringify({ ...figures, ...samples }, null, 2)}\n`);
});

async function measureLoading(browser: Browser, url: string, crowd: Crowd): Promise<LoadingSample[]> {
  const samples: LoadingSample[] = [];
  const storage = signedIn(url, crowd);
  const screens: [name: string, Screen][] = [
    ["/login", { path: "/login", field: 'input[name="username"]' }],
    ["/home", { path: `/home/${crowd.friendId}`, field: "textarea", storage }],
  ];
  // Round 0 is warm-up: gateway, disk, and the browser's cache of compiled code.
  for (let round = 0; round <= ROUNDS; round += 1) {
    logProgress(round === 0 ? "loading, warm-up ..." : `loading, round ${round} of ${ROUNDS} ...`);
    for (const [name, screen] of screens) {
      for (const profile of PROFILES.slice(0, round === 0 ? 1 : undefined)) {
        const visits = await visitTwice(browser, url, screen, profile);
        if (round === 0) continue;
        const key = { screen: name, profile: profile.name };
        samples.push({ ...key, cache: "cold", ...visits.cold }, { ...key, cache: "warm", ...visits.warm });
      }
    }
  }
  return samples;
}

async function measureInteraction(browser: Browser, url: string, crowd: Crowd): Promise<Interaction[]> {
  const samples: Interaction[] = [];
  logProgress("scrolling through the whole thread ...");
  const page = await openHome(browser, url, signedIn(url, crowd), crowd);
  const longTasks = await loadHistory(page, MESSAGES);
  logProgress(`longest task while scrolling ${format(Math.max(0, ...longTasks))} ms`);
  while (samples.length < ROUNDS) {
    logProgress(`interaction, round ${samples.length + 1} of ${ROUNDS} ...`);
    samples.push(await interact(page, crowd));
  }
  return samples;
}

function signedIn(url: string, { cookie, userId }: Crowd): StorageState {
  const [name = "", value = ""] = cookie.split("=");
  return {
    cookies: [
      { name, value, domain: "localhost", path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Strict" },
    ],
    origins: [{ origin: url, localStorage: [{ name: "current-user-id", value: userId }] }],
  };
}
