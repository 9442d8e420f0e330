import { join } from "node:path";
import { repoRoot } from "@messageoh/cli/root";
import { frontendConfig } from "@messageoh/frontend-build/frontend";
import { ModuleFederationPlugin } from "@module-federation/enhanced/webpack";
import webpack from "webpack";

// Builds the three front ends as one app from the shell's configuration and sources.
const config = frontendConfig({ dir: join(repoRoot(), "shell"), name: "shell", kind: "host", port: 0 });
const { vendor } = Object(config.optimization?.splitChunks).cacheGroups;

export default {
  ...config,
  output: { ...config.output, path: join(repoRoot(), "node_modules/.cache/one-bundle") },
  // Pages of one build can share chunks: use webpack's default rules.
  optimization: { ...config.optimization, splitChunks: { chunks: "all", cacheGroups: { vendor } } },
  plugins: [
    ...(config.plugins ?? []).filter((plugin) => !(plugin instanceof ModuleFederationPlugin)),
    new webpack.NormalModuleReplacementPlugin(/federation\/loadPage\.ts$/, join(import.meta.dirname, "loadPage.ts")),
  ],
} satisfies webpack.Configuration;
