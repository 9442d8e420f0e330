// `webpack build` and `webpack serve` for the front ends. A front end calls this file and not `webpack`, which looks for
// its command line beside itself only and npm is free to put that elsewhere.
import { createRequire } from "node:module";

// What a configuration can ask for; the command line itself tells only those that are functions.
if (process.argv[2] === "serve") process.env.WEBPACK_SERVE = "true";

createRequire(import.meta.url)("webpack-cli/bin/cli.js");
