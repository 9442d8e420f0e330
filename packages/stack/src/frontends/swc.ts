import { fileURLToPath } from "node:url";
import MinimizerPlugin from "minimizer-webpack-plugin";

/** Takes half as long as the minimizer that webpack uses otherwise. Some files are scripts, others are modules. */
export const minimizer = new MinimizerPlugin({
  minify: MinimizerPlugin.swcMinify,
  minimizerOptions: { module: "unknown" },
});

/** The webpack rule for TypeScript. */
export const typescript = {
  test: /\.tsx?$/,
  exclude: /node_modules/,
  use: {
    loader: fileURLToPath(import.meta.resolve("swc-loader")),
    options: {
      jsc: {
        target: "es2022",
        parser: { syntax: "typescript", tsx: true },
        // A remote in development must also run with the React of a production shell.
        transform: { react: { runtime: "automatic", development: false } },
      },
    },
  },
};
