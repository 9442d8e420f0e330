import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repoRoot } from "../../command/root.ts";
import { FRONTENDS } from "../frontends.ts";
import { release } from "./commands.ts";

it("names STACK_URL if no stack responds, because a gateway with TLS or a public origin does not on localhost", async () => {
  const www = await mkdtemp(join(tmpdir(), "messageoh-release-"));
  const released = release(repoRoot(), { www, url: undefined }, FRONTENDS[0], { smoke: true });
  await expect(released).rejects.toThrow("STACK_URL");
  await rm(www, { recursive: true });
});
