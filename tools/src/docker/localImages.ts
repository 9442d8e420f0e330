import { chmod, cp, mkdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildOnce, cacheDir, withLock } from "@messageoh/stack/command/cache";
import { PlainError, withProgress } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import { findProgram, run } from "@messageoh/stack/command/run";
import { unpackRelease } from "@messageoh/stack/dependencies/apt";
import { findMongod } from "@messageoh/stack/dependencies/mongod";
import type { DockerEngine } from "./engine.ts";

/** Marks images and containers that are not the original. */
export const LOCAL_IMAGE_LABEL = "io.github.messageoh.local-image";
const REPOSITORY = "messageoh-local";
/** Increase this with every change to the content of the images. */
const VERSION = 3;
const PACKAGES = "base-files bash coreutils dash sed grep findutils gzip tar tzdata util-linux".split(" ");
const SERVERS = ["ca-certificates", "curl", "liblzma5", "nginx", "redis-server"];
const USERS = { root: 0, nginx: 101, redis: 999, mongodb: 999, node: 1000, nobody: 65_534 };
const CA_BUNDLE = "/etc/ssl/certs/ca-certificates.crt";

type LocalImage = {
  /** Adds to the image's folder what the common folder lacks. */
  fill: (folder: string) => Promise<void>;
  /** Instructions of a Dockerfile. */
  settings: string[];
};

const LOCAL_IMAGES: Record<string, LocalImage> = {
  "node:24-bookworm-slim": { fill: addNode, settings: [`ENV NODE_EXTRA_CA_CERTS=${CA_BUNDLE}`, 'CMD ["node"]'] },
  "nginx:1.30": { fill: async () => {}, settings: ['CMD ["nginx", "-g", "daemon off;"]'] },
  "redis:8": {
    fill: async () => {},
    settings: ["EXPOSE 6379", "VOLUME /data", "WORKDIR /data", 'CMD ["redis-server", "--protected-mode", "no"]'],
  },
  "mongo:8": {
    fill: addMongo,
    settings: [
      ...["EXPOSE 27017", "VOLUME /data/db", "ENV HOME=/data/db"],
      ...['ENTRYPOINT ["docker-entrypoint.sh"]', 'CMD ["mongod"]'],
    ],
  },
};

/** Base images of the Dockerfiles and docker-compose.yml. */
export const BASE_IMAGES = Object.keys(LOCAL_IMAGES);

/**
 * Makes an image from Debian packages, npm packages and the mongod of `npm start`, and gives it the original's name.
 * It behaves like the original as far as this repository needs.
 */
export async function makeLocalImage(engine: DockerEngine, image: string): Promise<void> {
  const localImage = LOCAL_IMAGES[image];
  if (!localImage) throw new Error(`there is no local image for ${image}`);
  const kept = `${REPOSITORY}/${image}-${VERSION}`;
  if (!(await engine.hasImage(kept))) {
    await withProgress(`${image} cannot be pulled: making a local image`, () => build(engine, kept, image, localImage));
  }
  await engine.docker(["tag", kept, image]);
}

async function build(engine: DockerEngine, kept: string, image: string, { fill, settings }: LocalImage): Promise<void> {
  const common = await commonFolder();
  await withLock(cacheDir(), "local-image", async () => {
    // Inside the cache folder, so that files can be linked instead of copied.
    const folder = join(cacheDir(), "local-image.partial");
    await rm(folder, { recursive: true, force: true });
    try {
      await run("cp", ["-al", common, folder]);
      await fill(folder);
      const changes = [...settings, `LABEL ${LOCAL_IMAGE_LABEL}="not the original ${image}"`];
      const options = changes.map((change) => `--change '${change}'`).join(" ");
      const pack = `tar -C "$1" --owner=0 --group=0 --numeric-owner -c .`;
      await run("sh", ["-c", `${pack} | docker import ${options} - "$2"`, "sh", folder, kept], { env: engine.env });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

function commonFolder(): Promise<string> {
  return buildOnce(join(cacheDir(), `local-image-common-${VERSION}`), async (folder) => {
    await unpackRelease(folder, [...PACKAGES, ...SERVERS]);
    const users = Object.entries(USERS);
    const passwd = users.map(([name, id]) => `${name}:x:${id}:${id}::/tmp:/bin/sh\n`);
    await writeFile(join(folder, "etc/passwd"), passwd.join(""));
    await writeFile(join(folder, "etc/group"), users.map(([name, id]) => `${name}:x:${id}:\n`).join(""));
    // Use this machine's certificates, because a network may intercept TLS.
    const trusted = process.env.NODE_EXTRA_CA_CERTS || process.env.SSL_CERT_FILE || CA_BUNDLE;
    await writeFile(join(folder, CA_BUNDLE), await readFile(trusted).catch(() => ""));
    for (const path of ["data", "data/db"]) {
      await mkdir(join(folder, path), { recursive: true });
      // An import cannot set the owner, so the volumes made from these folders are writable for every user.
      await chmod(join(folder, path), 0o1777);
    }
  });
}

async function addNode(folder: string): Promise<void> {
  const program = findProgram("npm");
  if (!program) throw new PlainError("npm is not on PATH");
  const npm = dirname(dirname(await realpath(program)));
  const bin = join(folder, "usr/local/bin");
  const modules = join(folder, "usr/local/lib/node_modules");
  await Promise.all([bin, modules].map((path) => mkdir(path, { recursive: true })));
  await cp(process.execPath, join(bin, "node"));
  await cp(npm, join(modules, "npm"), { recursive: true });
  for (const name of ["npm", "npx"]) await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(bin, name));
}

async function addMongo(folder: string): Promise<void> {
  const [mongod, shell] = await Promise.all([findMongod(), fetchShell()]);
  const bin = join(folder, "usr/local/bin");
  const lib = join(folder, "usr/local/lib");
  await Promise.all([bin, lib].map((path) => mkdir(path, { recursive: true })));
  await run("cp", ["-al", shell, join(lib, "mongosh")]);
  await cp(process.execPath, join(bin, "node"));
  await cp(mongod, join(bin, "mongod"));
  await cp(join(repoRoot(), "tools/src/docker/local-images/mongo-entrypoint.sh"), join(bin, "docker-entrypoint.sh"));
  const start = '#!/bin/sh\nexec node /usr/local/lib/mongosh/node_modules/mongosh/bin/mongosh.js "$@"\n';
  await writeFile(join(bin, "mongosh"), start, { mode: 0o755 });
}

/** Fetches MongoDB's shell from npm. */
function fetchShell(): Promise<string> {
  return buildOnce(join(cacheDir(), "mongosh-2"), async (folder) => {
    await writeFile(join(folder, "package.json"), "{}");
    const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    await run("npm", ["install", ...options, "mongosh@2"], { cwd: folder });
  });
}
