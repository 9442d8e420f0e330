import { FRONTENDS } from "./frontends.ts";
import { publishFrontends } from "./publish.ts";

// node publishImage.ts FRONTEND WWW: the command of a front end's image.
const [name, www] = process.argv.slice(2);
const frontends = FRONTENDS.filter((frontend) => frontend.name === name);
if (frontends.length === 0 || !www) throw new Error("usage: node publishImage.ts FRONTEND WWW");
await publishFrontends(process.cwd(), www, frontends);
process.stdout.write(`released ${name}\n`);
