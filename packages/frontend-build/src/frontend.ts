import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PAGE_PROPS_OLDEST, PAGE_PROPS_VERSION, REMOTE_PAGES } from "@messageoh/contracts/frontends";
import type { ShellContract } from "@messageoh/contracts/releases";
import { ModuleFederationPlugin } from "@module-federation/enhanced/webpack";
import CssMinimizerPlugin from "css-minimizer-webpack-plugin";
import HtmlWebpackPlugin from "html-webpack-plugin";
import MiniCssExtractPlugin from "mini-css-extract-plugin";
import type { Compiler, Configuration } from "webpack";
import type {} from "webpack-dev-server";
import { answerFromRecord } from "./recorded.ts";

export interface Frontend {
  /** The workspace's folder. */
  dir: string;
  /** Federation name: a JavaScript identifier, unique among all front ends on a page. */
  name: string;
  kind: "host" | "remote";
  /** What a remote offers: `{ "./LoginPage": "./src/LoginPage.tsx" }`. */
  exposes?: Record<string, string>;
  /** Where `npm run dev` serves it alone. */
  port: number;
}

const loader = (name: string) => fileURLToPath(import.meta.resolve(name));
const SHARED = ["react", "react/jsx-runtime", "react-dom", "react-dom/client"];
const REACT_RANGE = "^19.0.0";
const PRELOAD = /shell[\\/]src[\\/]preload\.ts$/;
/** A file that takes longer counts as failed, so that the page offers Retry instead of waiting for ever. */
const CHUNK_TIMEOUT_MS = 7000;

/** The one webpack configuration of the three front ends; `dist/` holds what the gateway serves. */
export function frontendConfig({ dir, name, kind, exposes = {}, port }: Frontend): Configuration {
  const isServed = process.env.WEBPACK_SERVE === "true";
  const isHost = kind === "host";
  const folder = isHost ? "assets/" : "";

  return {
    name,
    mode: isServed ? "development" : "production",
    context: dir,
    target: ["web", "es2022"],
    // A release of a remote holds what it exposes; its page of its own exists in development only.
    entry: isHost ? { main: "./src/main.tsx" } : isServed ? { main: "./src/standalone.ts" } : {},
    devtool: isServed ? "source-map" : "hidden-source-map",
    output: {
      path: join(dir, "dist"),
      clean: true,
      // A remote works in whatever folder its release lies in; the shell's deep links need an absolute address.
      publicPath: isHost || isServed ? "/" : "auto",
      filename: `${folder}[name].[contenthash:8].js`,
      chunkFilename: `${folder}[name].[contenthash:8].js`,
      assetModuleFilename: `${folder}[name].[contenthash:8][ext]`,
      uniqueName: name,
      chunkLoadTimeout: CHUNK_TIMEOUT_MS,
      // The page's policy takes script addresses from named makers only (gateway/nginx.conf lists them).
      trustedTypes: { policyName: `${name}#webpack` },
    },
    resolve: { extensions: [".ts", ".tsx", ".js"] },
    module: {
      rules: [
        // The one script of the shell that is not bundled; its page names it.
        { test: PRELOAD, type: "asset/resource", generator: { filename: "assets/[name].[contenthash:8].js" } },
        {
          test: /\.tsx?$/,
          exclude: /node_modules/,
          use: {
            loader: loader("swc-loader"),
            options: {
              jsc: {
                target: "es2022",
                parser: { syntax: "typescript", tsx: true },
                // A remote in development must also run on the React of a shell in production.
                transform: { react: { runtime: "automatic", development: false } },
              },
            },
          },
        },
        // The schemas have no effects: those that a front end does not use stay out of its bundle.
        { test: /packages[\\/]contracts[\\/]src/, sideEffects: false },
        {
          test: /\.css$/,
          use: [
            MiniCssExtractPlugin.loader,
            {
              loader: loader("css-loader"),
              options: {
                modules: {
                  auto: /\.module\.css$/,
                  localIdentName: `${name}__[local]__[hash:base64:5]`,
                  namedExport: false,
                  exportLocalsConvention: "as-is",
                },
              },
            },
          ],
        },
        { test: /\.svg$/, type: "asset/resource" },
      ],
    },
    optimization: {
      minimizer: ["...", new CssMinimizerPlugin()],
      // The shell's page names the preload script; minified, it must not get another name.
      realContentHash: !isHost,
      splitChunks: isHost ? { cacheGroups: { default: false, defaultVendors: false, vendor: VENDOR } } : false,
    },
    performance: { hints: false },
    plugins: [
      new ModuleFederationPlugin(isHost ? hostOptions(name, dir) : remoteOptions(name, exposes, isServed)),
      ...(isHost ? [{ apply: (compiler: Compiler) => emitContract(compiler, dir) }] : []),
      new MiniCssExtractPlugin({
        filename: `${folder}[name].[contenthash:8].css`,
        chunkFilename: `${folder}[name].[contenthash:8].css`,
      }),
      ...(isHost || isServed
        ? [
            new HtmlWebpackPlugin({
              template: "./src/index.ejs",
              scriptLoading: "defer",
              // The shell's template places its files itself.
              inject: !isHost,
              // The remote's own entry is for shells; its page needs `main` only.
              chunks: isHost ? "all" : ["main"],
              minify: isServed ? false : { collapseWhitespace: true, keepClosingSlash: true },
            }),
          ]
        : []),
    ],
    watchOptions: { ignored: ["**/node_modules/**", "**/dist/**"] },
    devServer: {
      port,
      historyApiFallback: true,
      // Hot replacement of a remote inside a shell fails; a reload always works.
      hot: false,
      liveReload: true,
      ...(process.env.MOCK ? onRecord(dir) : onStack(isHost)),
    },
  };
}

type DevServer = NonNullable<Configuration["devServer"]>;

/** Calls, sockets and, for the shell, the remotes come from a running stack. */
function onStack(isHost: boolean): DevServer {
  const target = process.env.STACK_URL ?? "http://localhost:8080";
  const context = ["/messageoh", "/socket.io", ...(isHost ? ["/mfe-auth", "/mfe-chat"] : [])];
  // The gateway takes calls from its own pages only.
  const headers = { origin: new URL(target).origin };
  return { proxy: [{ context, target, headers, changeOrigin: true, secure: false, ws: true }] };
}

/** Calls get the answers of `recorded.json`; there is no socket, as when the connection is away. */
function onRecord(dir: string): DevServer {
  return {
    setupMiddlewares: (middlewares) => {
      middlewares.unshift({ name: "recorded", middleware: answerFromRecord(dir) });
      return middlewares;
    },
  };
}

/** Federation and its plugin run first, so what they share is in a file of its own and outlives a release of the shell. */
const VENDOR = {
  test: /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom)[\\/]/,
  name: "vendor",
  chunks: "initial" as const,
  enforce: true,
};

type FederationOptions = ConstructorParameters<typeof ModuleFederationPlugin>[0];

function hostOptions(name: string, dir: string): FederationOptions {
  return {
    name,
    // The shell learns at run time where remotes are; no build of it knows an address.
    remotes: {},
    manifest: false,
    dts: false,
    shareStrategy: "loaded-first",
    runtimePlugins: [join(dir, "src/federation/plugin.ts")],
    shared: share({ singleton: true, eager: true, requiredVersion: REACT_RANGE }),
    // It knows the address of a remote's entry and needs no manifests, nor the code that reads them.
    experiments: { optimization: { target: "web", disableSnapshot: true } },
  };
}

function remoteOptions(name: string, exposes: Record<string, string>, isServed: boolean): FederationOptions {
  return {
    name,
    filename: "remoteEntry.[contenthash:8].js",
    exposes,
    manifest: {
      additionalData: ({ stats }) => {
        Object.assign(stats.metaData, { pageProps: PAGE_PROPS_VERSION });
      },
    },
    dts: false,
    shareStrategy: "loaded-first",
    // Strict: a shell whose React does not fit gives an error that the shell can show, not a page that half works.
    shared: share({ singleton: true, strictVersion: true, requiredVersion: REACT_RANGE }),
    // Inside a shell it runs on the shell's federation runtime; alone it needs its own.
    experiments: { optimization: { target: "web", disableRemote: true }, externalRuntime: !isServed },
  };
}

// A key covers exactly one import: `react-dom` does not cover `react-dom/client`.
function share<Rule>(rule: Rule): Record<string, Rule> {
  return Object.fromEntries(SHARED.map((key) => [key, rule]));
}

// A remote's manifest says what it offers; this file says what the shell asks for. `npm run release` compares the two.
function emitContract(compiler: Compiler, dir: string): void {
  const contract: ShellContract = {
    pages: REMOTE_PAGES,
    pageProps: { oldest: PAGE_PROPS_OLDEST, newest: PAGE_PROPS_VERSION },
    react: createRequire(join(dir, "package.json"))("react/package.json").version,
  };
  const { RawSource } = compiler.webpack.sources;
  compiler.hooks.thisCompilation.tap("contract", (compilation) => {
    compilation.hooks.processAssets.tap("contract", () =>
      compilation.emitAsset("contract.json", new RawSource(`${JSON.stringify(contract)}\n`)),
    );
  });
}
