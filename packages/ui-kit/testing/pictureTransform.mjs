import { basename } from "node:path";

/** Transforms a picture into a module that exports its file name. */
export default {
  process: (_source, path) => ({ code: `module.exports = ${JSON.stringify(basename(path))};` }),
};
