import { dirname, join } from "node:path/posix";
import { readSources } from "../mutate/sources.ts";

const sources = readSources(join(__dirname, "../../.."));
const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*["'](\.[^"']+)["']/g;

/** Returns the imports between files and folders of the same folder, by that folder. */
function importsByFolder(): Map<string, Map<string, Set<string>>> {
  const found = new Map<string, Map<string, Set<string>>>();
  for (const [file, text] of sources) {
    for (const [, specifier = ""] of text.matchAll(IMPORT)) {
      const [from, to] = [file.split("/"), join(dirname(file), specifier).split("/")];
      const depth = from.findIndex((part, index) => part !== to[index]);
      const folder = from.slice(0, depth).join("/");
      const [importer = "", imported = ""] = [from[depth], to[depth]];
      const imports = found.get(folder) ?? new Map<string, Set<string>>();
      found.set(folder, imports.set(importer, (imports.get(importer) ?? new Set()).add(imported)));
    }
  }
  return found;
}

/** Returns the names that import each other in a circle, or that import such a circle. */
function circleIn(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const left = new Map(imports);
  for (let hasChanged = true; hasChanged; ) {
    const free = [...left].filter(([, imported]) => ![...imported].some((name) => left.has(name)));
    for (const [name] of free) left.delete(name);
    hasChanged = free.length > 0;
  }
  return [...left.keys()];
}

it("finds a circle of folders", () => {
  const imports = { list: ["thread"], thread: ["menu", "list"], menu: ["keys"] };
  expect(circleIn(new Map(Object.entries(imports).map(([name, of]) => [name, new Set(of)])))).toEqual([
    "list",
    "thread",
  ]);
});

it("has no folders that import each other in a circle", () => {
  const circles = [...importsByFolder()].map(([folder, imports]) => [folder, circleIn(imports)] as const);
  expect(circles.length).toBeGreaterThan(30);
  expect(circles.filter(([, circle]) => circle.length > 0)).toEqual([]);
});
