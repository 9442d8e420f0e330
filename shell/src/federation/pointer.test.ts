import { parsePointer } from "./pointer.ts";

const ORIGIN = "http://localhost:8080";
const contract = { exposes: ["./LoginPage"], pageProps: 1, react: "^19.0.0" };
const manifest = { metaData: { remoteEntry: { name: "remoteEntry.12345678.js" } } };
const stable = { release: "a1b2", entry: "/mfe-auth/a1b2/mf-manifest.json", contract, manifest };
const canary = { ...stable, release: "c3d4", entry: "/mfe-auth/c3d4/mf-manifest.json", percent: 10 };
const parse = (value: unknown, bucket = 50) => parsePointer("mfe_auth", JSON.stringify(value), bucket, ORIGIN);

describe("a remote's pointer", () => {
  it("leads to the absolute address of the entry script, beside the manifest", () => {
    const entry = `${ORIGIN}/mfe-auth/a1b2/remoteEntry.12345678.js`;
    expect(parse({ name: "mfe_auth", ...stable })).toEqual({ release: "a1b2", entry, contract });
  });

  it.each([
    [0, "c3d4"],
    [9.9, "c3d4"],
    [10, "a1b2"],
    [100, "a1b2"],
  ])("with a canary for 10 %% leads bucket %d to %s", (bucket, release) => {
    expect(parse({ name: "mfe_auth", ...stable, canary }, bucket)?.release).toBe(release);
  });

  it("leads everybody to the live release when the canary's part is unreadable", () => {
    const broken = { ...canary, entry: "//elsewhere.example/mf-manifest.json" };
    expect(parse({ name: "mfe_auth", ...stable, canary: broken }, 0)?.release).toBe("a1b2");
  });

  it("counts for nothing when the gateway put an error page or nothing in its place", () => {
    for (const text of [
      "<html><title>404 Not Found</title></html>",
      '<!--# include virtual="/mfe-auth/current.json" -->',
      "",
    ]) {
      expect(parsePointer("mfe_auth", text, 50, ORIGIN)).toBeNull();
    }
  });

  it.each([
    null,
    7,
    [],
    {},
    { name: "mfe_auth" },
    { name: "mfe_auth", ...stable, entry: 7 },
    { name: "mfe_auth", ...stable, contract: undefined },
    { name: "mfe_auth", ...stable, manifest: undefined },
    { name: "mfe_auth", ...stable, manifest: {} },
    { name: "mfe_chat", ...stable },
  ])("counts for nothing when it is %j", (value) => {
    expect(parse(value)).toBeNull();
  });

  it("never leads to another origin", () => {
    for (const entry of ["https://elsewhere.example/mf-manifest.json", "//elsewhere.example/mf-manifest.json"]) {
      expect(parse({ name: "mfe_auth", ...stable, entry })).toBeNull();
    }
  });

  it("never leads to another origin by the name of the script", () => {
    const misled = { metaData: { remoteEntry: { name: "https://elsewhere.example/remoteEntry.js" } } };
    expect(parse({ name: "mfe_auth", ...stable, manifest: misled })).toBeNull();
  });
});
