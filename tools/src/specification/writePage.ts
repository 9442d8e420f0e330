import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";
import { COVERAGE_PAGE, coveragePage } from "./rules.ts";

// npm run spec-coverage
writeFileSync(join(repoRoot(), COVERAGE_PAGE), coveragePage(repoRoot()));
