// Runs `webpack build` and `webpack serve` for a front end. The `webpack` command finds webpack-cli only in its own
// node_modules folder, but npm may install it elsewhere.
import { createRequire } from "node:module";

// webpack-cli passes the command only to configurations that are functions.
if (process.argv[2] === "serve") process.env.WEBPACK_SERVE = "true";

createRequire(import.meta.url)("webpack-cli/bin/cli.js");
