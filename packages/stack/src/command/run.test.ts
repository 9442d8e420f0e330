import { run } from "./run.ts";

it("keeps a character whose bytes arrive in two parts", async () => {
  const script = "printf '\\303'; sleep 0.3; printf '\\251'";
  expect(await run("sh", ["-c", script])).toBe("é");
});
