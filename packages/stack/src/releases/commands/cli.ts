import { resolve } from "node:path";
import { readArguments } from "../../command/arguments.ts";
import { formatError, PlainError } from "../../command/progress.ts";
import { repoRoot } from "../../command/root.ts";
import { FRONTENDS } from "../frontends.ts";
import { canary, release, rollback } from "./commands.ts";
import { listReleases } from "./list.ts";
import { changeServiceWorker } from "./serviceWorker.ts";
import { findTarget } from "./target.ts";

// npm run release | rollback | canary -w FRONTEND [-- ...], npm run releases, npm run service-worker -- ...
const HELP = `npm run release -w FRONTEND [-- --dist FOLDER]           build, check, test and release; FOLDER is an existing build
npm run rollback -w FRONTEND [-- RELEASE]              roll back to the previous or the named release
npm run canary -w FRONTEND -- PERCENT | promote | end  release to a share of the browsers
npm run releases                                       list live and kept releases
npm run service-worker -- remove | restore             remove the service worker from all browsers
  --no-smoke   skip the smoke test in a browser`;
const { values, positionals } = readArguments(HELP, {
  options: { dist: { type: "string" }, smoke: { type: "boolean", default: true } },
  allowNegative: true,
  allowPositionals: true,
});
const [command, name, argument] = positionals;
const options = { dist: values.dist && resolve(process.env.INIT_CWD ?? "", values.dist), smoke: values.smoke };

try {
  const target = await findTarget();
  const frontend = FRONTENDS.find((candidate) => candidate.name === name);
  if (command === "releases") await listReleases(target);
  else if (command === "service-worker") await changeServiceWorker(target, name);
  else if (!frontend) throw new PlainError(`Name one of ${FRONTENDS.map((known) => known.name).join(", ")}.`);
  else if (command === "release") await release(repoRoot(), target, frontend, options);
  else if (command === "rollback") await rollback(target, frontend, argument);
  else if (command === "canary") await canary(repoRoot(), target, frontend, argument ?? "", options);
  else throw new PlainError("The commands are release, rollback, canary, releases and service-worker.");
} catch (error) {
  process.stderr.write(`${formatError(error)}\n`);
  process.exitCode = 1;
}
