import { basename } from "node:path";

/** Turns a picture into its file name. */
export default {
  process: (_source, path) => ({ code: `module.exports = ${JSON.stringify(basename(path))};` }),
};
