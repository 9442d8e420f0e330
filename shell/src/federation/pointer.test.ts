import { parsePointer } from "./pointer.ts";

const ORIGIN = "http://localhost:8080";
const entry = "/mfe-auth/a1b2/mf-manifest.json";
const manifest = { metaData: { remoteEntry: { name: "remoteEntry.12345678.js" } } };
const parse = (value: unknown) => parsePointer("mfe_auth", JSON.stringify(value), ORIGIN);

describe("a remote's pointer", () => {
  it("leads to the absolute address of the entry script, beside the manifest", () => {
    expect(parse({ name: "mfe_auth", release: "a1b2", entry, manifest })).toBe(
      `${ORIGIN}/mfe-auth/a1b2/remoteEntry.12345678.js`,
    );
  });

  it("counts for nothing when the gateway put an error page or nothing in its place", () => {
    expect(parsePointer("mfe_auth", "<html><title>404 Not Found</title></html>", ORIGIN)).toBeNull();
    expect(parsePointer("mfe_auth", '<!--# include virtual="/mfe-auth/current.json" -->', ORIGIN)).toBeNull();
    expect(parsePointer("mfe_auth", "", ORIGIN)).toBeNull();
  });

  it.each([
    null,
    7,
    [],
    {},
    { name: "mfe_auth", manifest },
    { name: "mfe_auth", entry: 7, manifest },
    { name: "mfe_chat", entry, manifest },
    { name: "mfe_auth", entry },
    { name: "mfe_auth", entry, manifest: {} },
  ])("counts for nothing when it is %j", (value) => {
    expect(parse(value)).toBeNull();
  });

  it.each(["https://elsewhere.example/mf-manifest.json", "//elsewhere.example/mf-manifest.json"])(
    "never leads to another origin: %s",
    (elsewhere) => {
      expect(parse({ name: "mfe_auth", entry: elsewhere, manifest })).toBeNull();
    },
  );

  it("never leads to another origin by the name of the script", () => {
    const misled = { metaData: { remoteEntry: { name: "https://elsewhere.example/remoteEntry.js" } } };
    expect(parse({ name: "mfe_auth", entry, manifest: misled })).toBeNull();
  });
});
