import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { FRONTENDS } from "../frontends/frontends.ts";
import { repoRoot } from "../root.ts";
import { explain, PlainError } from "../say.ts";
import { canary, release, rollback } from "./commands.ts";
import { listReleases } from "./list.ts";
import { findTarget } from "./target.ts";

// npm run release | rollback | canary -w FRONTEND [-- ...], npm run releases.
const { values, positionals } = parseArgs({
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
  else if (!frontend) throw new PlainError(`Name one of ${FRONTENDS.map((known) => known.name).join(", ")}.`);
  else if (command === "release") await release(repoRoot(), target, frontend, options);
  else if (command === "rollback") await rollback(target, frontend, argument);
  else if (command === "canary") await canary(repoRoot(), target, frontend, argument ?? "", options);
  else throw new PlainError("There are release, rollback, canary and releases.");
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
