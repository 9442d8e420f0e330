import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Supervisor } from "./supervisor.ts";

/** Returns a supervisor with a new temporary folder, which `stop` removes after the processes have ended. */
export async function temporarySupervisor(
  name: string,
): Promise<{ dir: string; supervisor: Supervisor; stop: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), `messageoh-${name}-`));
  const supervisor = new Supervisor(dir);
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await rm(dir, { recursive: true, force: true });
  };
  return { dir, supervisor, stop };
}
