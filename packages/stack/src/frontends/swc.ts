import { fileURLToPath } from "node:url";
import MinimizerPlugin from "minimizer-webpack-plugin";

/** Takes half as long as webpack's own minimizer. */
export const minimizer = new MinimizerPlugin({ minify: MinimizerPlugin.swcMinify });

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
