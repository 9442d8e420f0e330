import { join } from "node:path";
import type { Configuration } from "webpack";
import { minimizer, typescript } from "./swc.ts";

/**
 * Returns the webpack configuration of the shell's service worker and of the one that removes it. Both have fixed
 * names, because browsers look for a new service worker at the address of the old one.
 */
export function serviceWorkerConfig(dir: string): Configuration {
  return {
    name: "service-worker",
    mode: "production",
    context: dir,
    target: ["webworker", "es2022"],
    entry: {
      "service-worker": "./serviceWorker/worker.ts",
      "service-worker-removal": "./serviceWorker/removal.ts",
    },
    devtool: "hidden-source-map",
    output: { path: join(dir, "dist"), filename: "[name].js" },
    resolve: { extensions: [".ts", ".js"] },
    module: { rules: [typescript] },
    optimization: { minimizer: [minimizer] },
    performance: { hints: false },
  };
}
