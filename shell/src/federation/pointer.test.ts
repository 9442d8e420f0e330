import { parsePointer } from "./pointer.ts";

const ORIGIN = "http://localhost:8080";
const parse = (value: unknown) => parsePointer("mfe_auth", JSON.stringify(value), ORIGIN);

describe("a remote's pointer", () => {
  it("becomes the manifest's absolute address", () => {
    const entry = "/mfe-auth/a1b2/mf-manifest.json";
    expect(parse({ name: "mfe_auth", release: "a1b2", entry })).toBe(`${ORIGIN}${entry}`);
  });

  it("counts for nothing when the gateway put an error page or nothing in its place", () => {
    expect(parsePointer("mfe_auth", "<html><title>404 Not Found</title></html>", ORIGIN)).toBeNull();
    expect(parsePointer("mfe_auth", '<!--# include virtual="/mfe-auth/current.json" -->', ORIGIN)).toBeNull();
    expect(parsePointer("mfe_auth", "", ORIGIN)).toBeNull();
  });

  it.each([null, 7, [], {}, { name: "mfe_auth" }, { name: "mfe_auth", entry: 7 }, { name: "mfe_chat", entry: "/x" }])(
    "counts for nothing when it is %j",
    (value) => {
      expect(parse(value)).toBeNull();
    },
  );

  it("never leads to another origin", () => {
    expect(parse({ name: "mfe_auth", entry: "https://elsewhere.example/mf-manifest.json" })).toBeNull();
    expect(parse({ name: "mfe_auth", entry: "//elsewhere.example/mf-manifest.json" })).toBeNull();
  });
});
