import { join } from "node:path";
import { buildOnce, cacheDir } from "@messageoh/stack/command/cache";
import { PlainError, withProgress } from "@messageoh/stack/command/progress";
import { run } from "@messageoh/stack/command/run";

/** Returns a folder with the files of a commit and its own dependencies. It is kept for later runs. */
export async function checkOut(root: string, commit: string): Promise<string> {
  const id = await run("git", ["rev-parse", "--verify", "--quiet", `${commit}^{commit}`], { cwd: root }).catch(() => {
    throw new PlainError(`--from ${commit}: this repository has no such commit`);
  });
  return buildOnce(join(cacheDir(), `checkout-${id.trim()}`), (aside) =>
    withProgress(`installing ${commit}`, async () => {
      await run("sh", ["-c", 'git archive "$1" | tar -x -C "$2"', "sh", id.trim(), aside], { cwd: root });
      await run("sh", ["tools/install.sh"], { cwd: aside });
    }),
  );
}
