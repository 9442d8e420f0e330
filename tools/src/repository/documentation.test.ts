import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";

const read = (file: string) => readFileSync(join(repoRoot(), file), "utf8").replace(/^```.*?^```/gms, "");
const files = globSync(["*.md", "*/README.md", "{packages,deploy}/*/README.md", "docs/**/*.md"], { cwd: repoRoot() });

/** Returns the anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .replace(/^#+ /, "")
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
const anchorsOf = (file: string) => (read(file).match(/^#+ .*$/gm) ?? []).map(anchorOf);

it("links to files and headings that exist", () => {
  expect(files.length).toBeGreaterThan(40);
  const broken = files.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
      .filter(([, path = "", anchor]) => {
        const target = path === "" ? file : join(dirname(file), path);
        if (!existsSync(join(repoRoot(), target))) return true;
        return anchor !== undefined && !anchorsOf(target).includes(anchor);
      })
      .map(([link]) => `${file}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it("names paths of the repository that exist", () => {
  const path = /`((?:shell|mfe-\w+|svc-\w+|gateway|packages|system-tests|tools|docs|deploy)\/[\w./-]+\.\w+)`/g;
  const paths = files.flatMap((file) => [...read(file).matchAll(path)].map(([, named = ""]) => `${file}: ${named}`));
  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((named) => !existsSync(join(repoRoot(), named.replace(/^.*: /, ""))))).toEqual([]);
});

it("traces a message through files that exist", () => {
  const rows = read("README.md").matchAll(/^\| +\d+ \| `([^`]+)` +\|[^|]*\|([^|]*)\|$/gm);
  const named = [...rows].flatMap(([, file = "", uses = ""]) => {
    const root = file.replace(/(?<=\/)src\/.*|(?<=^gateway\/).*/, "");
    const folder = /`(\w+\/)`: /.exec(uses)?.[1] ?? "";
    const others = [...uses.matchAll(/`([\w/-]+(?:\.\w+)+)`(?: in ([\w-]+))?/g)].map(([, path = "", other]) =>
      other ? `packages/${other}/src/${path}` : `${root}${root === "gateway/" ? "" : "src/"}${folder}${path}`,
    );
    return [file, ...others];
  });
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((file) => !existsSync(join(repoRoot(), file)))).toEqual([]);
});

it("numbers the decisions without gaps, names each file after its title, and lists all of them", () => {
  const decisions = globSync("docs/adr/[0-9]*.md", { cwd: repoRoot() }).sort();
  const expected = decisions.map((file, index) => {
    const title =
      read(file)
        .split("\n")[0]
        ?.replace(/^# \d+\. /, "") ?? "";
    const name = title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    return `docs/adr/${String(index + 1).padStart(3, "0")}-${name}.md`;
  });
  expect(decisions).toEqual(expected);
  const listed = [...read("docs/adr/README.md").matchAll(/\((\d+-[\w-]+\.md)\)/g)].map(
    ([, name]) => `docs/adr/${name}`,
  );
  expect(listed).toEqual(decisions);
});
