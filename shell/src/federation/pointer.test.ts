import { parsePointer } from "./pointer.ts";

const ORIGIN = "http://localhost:8080";
const contract = { exposes: ["./LoginPage"], pageProps: 1, react: "^19.0.0" };
const manifest = { metaData: { remoteEntry: { name: "remoteEntry.12345678.js" } } };
const stable = { release: "a1b2", entry: "/mfe-auth/a1b2/mf-manifest.json", contract, manifest };
const canary = { ...stable, release: "c3d4", entry: "/mfe-auth/c3d4/mf-manifest.json", percent: 10 };
const parse = (value: unknown, bucket = 50) => parsePointer("mfe_auth", JSON.stringify(value), bucket, ORIGIN);

describe("pointer of a remote", () => {
  it("resolves to the absolute URL of the entry script beside the manifest", () => {
    const entry = `${ORIGIN}/mfe-auth/a1b2/remoteEntry.12345678.js`;
    expect(parse({ name: "mfe_auth", ...stable })).toEqual({ release: "a1b2", entry, contract });
  });

  it.each([
    [0, "c3d4"],
    [9.9, "c3d4"],
    [10, "a1b2"],
    [100, "a1b2"],
  ])("resolves bucket %d with a canary of 10 %% to the release %s", (bucket, release) => {
    expect(parse({ name: "mfe_auth", ...stable, canary }, bucket)?.release).toBe(release);
  });

  it("resolves to the live release if the canary is invalid", () => {
    const broken = { ...canary, entry: "//elsewhere.example/mf-manifest.json" };
    expect(parse({ name: "mfe_auth", ...stable, canary: broken }, 0)?.release).toBe("a1b2");
  });

  it("is invalid if the gateway inlined an error page or nothing", () => {
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
  ])("is invalid if it is %j", (value) => {
    expect(parse(value)).toBeNull();
  });

  it("rejects another origin", () => {
    for (const entry of ["https://elsewhere.example/mf-manifest.json", "//elsewhere.example/mf-manifest.json"]) {
      expect(parse({ name: "mfe_auth", ...stable, entry })).toBeNull();
    }
  });

  it("rejects another origin in the name of the script", () => {
    const misled = { metaData: { remoteEntry: { name: "https://elsewhere.example/remoteEntry.js" } } };
    expect(parse({ name: "mfe_auth", ...stable, manifest: misled })).toBeNull();
  });
});
