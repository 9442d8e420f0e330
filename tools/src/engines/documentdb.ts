import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildOnce, cacheDir } from "../cache.ts";
import { run } from "../run.ts";
import { PlainError, say, saying } from "../say.ts";
import { unpackRelease } from "./apt.ts";
import { asOrdinaryUser, isRoot, POSTGRES_UID } from "./unprivileged.ts";

const SUITE = "forky";
const PACKAGE = "postgresql-18-documentdb";
const BIN = "usr/lib/postgresql/18/bin";
const EXTENSIONS = "usr/share/postgresql/18/extension";
const MACHINES: Record<string, { triplet: string; loader: string }> = {
  x64: { triplet: "x86_64-linux-gnu", loader: "usr/lib64/ld-linux-x86-64.so.2" },
  arm64: { triplet: "aarch64-linux-gnu", loader: "usr/lib/ld-linux-aarch64.so.1" },
};
const SETTINGS = [
  "shared_preload_libraries = 'pg_cron,pg_documentdb_core,pg_documentdb'",
  "cron.database_name = 'postgres'",
  // Its workers then need no password and no port: the server listens on a Unix socket only.
  "cron.use_background_workers = on",
  "listen_addresses = ''",
  "timezone = 'GMT'",
  "log_timezone = 'GMT'",
  // Compiling a query costs more than the short ones that a messenger sends ever gain.
  "jit = off",
];

const documentdbDir = (): string => join(cacheDir(), `${PACKAGE}-1`);

/** Whether PostgreSQL with DocumentDB was fetched before. */
export function documentdbIsCached(): boolean {
  return existsSync(documentdbDir());
}

/** The server program of the fetched PostgreSQL. */
export function postgresProgram(prefix: string): string {
  return join(prefix, BIN, "postgres");
}

/** PostgreSQL 18 with DocumentDB, unpacked into the cache folder, and in it an empty database cluster to copy. */
export function fetchDocumentdb(): Promise<string> {
  return buildOnce(documentdbDir(), async (prefix) => {
    const fetching = "PostgreSQL with DocumentDB: fetching 140 MB of Debian packages (about half a minute)";
    await saying(fetching, () => unpackRelease(prefix, SUITE, [PACKAGE]));
    for (const name of ["postgres", "initdb"]) await wrap(join(prefix, BIN, name));
    // The package's own script would have made this link.
    await symlink("postgis-3.control", join(prefix, EXTENSIONS, "postgis.control"));
    say("PostgreSQL with DocumentDB: preparing an empty database ...");
    await makeCluster(prefix);
  });
}

/** Copies the empty cluster into a data folder, unless that is one already. */
export async function ensureCluster(prefix: string, dir: string): Promise<void> {
  if (existsSync(join(dir, "PG_VERSION"))) return;
  const aside = `${dir}.partial`;
  await rm(aside, { recursive: true, force: true });
  await cp(join(prefix, "cluster"), aside, { recursive: true });
  if (isRoot()) await run("chown", ["-R", `${POSTGRES_UID}:${POSTGRES_UID}`, aside]);
  await chmod(aside, 0o700);
  await rename(aside, dir);
}

/**
 * The machine's C library may be older than these programs, so they run with the loader that came with them. The
 * wrapper stands in the program's place because initdb starts postgres by its name; --argv0 lets it find its files.
 */
async function wrap(program: string): Promise<void> {
  const machine = MACHINES[process.arch];
  if (!machine) throw new PlainError(`There is no PostgreSQL with DocumentDB for ${process.arch}: set MONGO_URL.`);
  await rename(program, `${program}.real`);
  const lib = `$prefix/usr/lib/${machine.triplet}`;
  const libraries = `${lib}:${lib}/blas:${lib}/lapack:$prefix/usr/lib/postgresql/18/lib`;
  const script = [
    "#!/bin/sh",
    `prefix=\${0%/${BIN}/*}`,
    `exec "$prefix/${machine.loader}" --library-path "${libraries}" --argv0 "$0" "$0.real" "$@"`,
  ];
  await writeFile(program, `${script.join("\n")}\n`);
  await chmod(program, 0o755);
}

async function makeCluster(prefix: string): Promise<void> {
  const cluster = join(prefix, "cluster");
  await mkdir(cluster);
  if (isRoot()) await chown(cluster, POSTGRES_UID, POSTGRES_UID);
  const asPostgres = async (name: string, args: string[], input = ""): Promise<void> => {
    const program = await asOrdinaryUser(join(prefix, BIN, name), args, [cluster]);
    await run(program.command, program.args, { input, cwd: "/" });
  };
  await asPostgres("initdb", ["-A", "trust", "-U", "postgres", "--no-locale", "-E", "UTF8", "-D", cluster]);
  await writeFile(join(cluster, "postgresql.auto.conf"), `${SETTINGS.join("\n")}\n`);
  await asPostgres("postgres", ["--single", "-D", cluster, "postgres"], "create extension documentdb cascade;\n");
}
