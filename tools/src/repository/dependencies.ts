import { readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { listFiles } from "../mutate/sources.ts";

const CODE = /\.(ts|tsx)$/;
// Imports and re-exports, `import()`, and paths that a jest configuration or an npm script names.
const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*["']([^"']+)["']/g;
const PATH_IN_JEST = /<rootDir>\/([\w./-]+\.(?:tsx?|mjs))/g;
const PATH_IN_SCRIPT = /(?:\.\.\/)+[\w./-]+\.(?:ts|sh)/g;
const COPIED = /^COPY (?!--from)(.+) \S+$/gm;

type Manifest = { name: string; workspaces?: string[] } & Partial<
  Record<"scripts" | "dependencies" | "devDependencies", Record<string, string>>
>;

/** The dependencies between files of a repository, from imports, manifests and Dockerfiles. */
export class Dependencies {
  readonly #root: string;
  readonly files: string[];
  /** Folder of each workspace by the name of its package. */
  readonly workspaces: Map<string, string>;

  constructor(root: string) {
    this.#root = root;
    this.files = listFiles(root);
    const { workspaces = [] } = this.#manifest("package.json");
    const isWorkspace = (folder: string) =>
      workspaces.some(
        (pattern) => pattern.replace(/\/\*$/, "") === (pattern.endsWith("/*") ? dirname(folder) : folder),
      );
    this.workspaces = new Map(
      this.files
        .filter((file) => file.endsWith("/package.json") && isWorkspace(dirname(file)))
        .map((file) => [this.#manifest(file).name, dirname(file)]),
    );
  }

  /** Returns the files in these paths and all files that they need. */
  reach(...paths: string[]): string[] {
    const reached = new Set<string>();
    const waiting = paths.flatMap((path) => this.#below(path));
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (reached.has(file)) continue;
      reached.add(file);
      waiting.push(...this.#neededBy(file));
    }
    return [...reached].sort();
  }

  #neededBy(file: string): string[] {
    const name = file.split("/").pop() ?? "";
    if (name === "package.json") return this.#neededByManifest(file);
    // Ignore copied manifests, which only serve the install.
    if (name.endsWith("Dockerfile")) return this.#copiedBy(file).filter((copied) => !copied.endsWith("package.json"));
    if (!CODE.test(file)) return [];
    const named = name.startsWith("jest.config") ? this.#matches(file, PATH_IN_JEST) : [];
    return [...named, ...this.#matches(file, IMPORT).flatMap((specifier) => this.#resolve(file, specifier))];
  }

  #copiedBy(file: string): string[] {
    return this.#matches(file, COPIED).flatMap((paths) => paths.split(" ").flatMap(this.#below));
  }

  #neededByManifest(file: string): string[] {
    const { scripts = {}, dependencies, devDependencies } = this.#manifest(file);
    if (file === "package.json") return [];
    const named = Object.values(scripts).flatMap((script) => script.match(PATH_IN_SCRIPT) ?? []);
    return [
      ...Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => this.#below(this.workspaces.get(name))),
      ...named.map((path) => join(dirname(file), path)),
    ];
  }

  #resolve(file: string, specifier: string): string[] {
    if (specifier.startsWith(".")) {
      const path = join(dirname(file), specifier);
      return this.files.filter((other) => other === path || other.replace(CODE, "") === path);
    }
    return this.#below(
      this.workspaces.get(
        specifier
          .split("/")
          .slice(0, specifier.startsWith("@") ? 2 : 1)
          .join("/"),
      ),
    );
  }

  #below = (path: string | undefined): string[] => {
    if (path === undefined) return [];
    const pattern = path.replace(/\/$/, "").replace(/\*[^/]*$/, "");
    return this.files.filter((file) => file === path || file.startsWith(path.includes("*") ? pattern : `${pattern}/`));
  };

  #matches(file: string, pattern: RegExp): string[] {
    return [...readFileSync(join(this.#root, file), "utf8").matchAll(pattern)].map(([, found = ""]) => found);
  }

  #manifest(file: string): Manifest {
    return JSON.parse(readFileSync(join(this.#root, file), "utf8")) as Manifest;
  }
}
