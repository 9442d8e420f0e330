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
import { serveRecorded } from "./recorded.ts";
import { minimizer, typescript } from "./swc.ts";

export interface Frontend {
  /** The workspace's folder. */
  dir: string;
  /** Federation name: a JavaScript identifier, unique among all front ends on a page. */
  name: string;
  kind: "host" | "remote";
  /** Modules that a remote exposes: `{ "./LoginPage": "./src/LoginPage.tsx" }`. */
  exposes?: Record<string, string>;
  /**
   * Calls that a page of a remote makes first, by the name of the page. The shell makes them while the scripts load.
   */
  firstCalls?: Record<string, readonly string[]>;
  /** The port of `npm run dev`. */
  port: number;
}

const loader = (name: string) => fileURLToPath(import.meta.resolve(name));
const SHARED = ["react", "react/jsx-runtime", "react-dom", "react-dom/client"];
const REACT_RANGE = "^19.0.0";
/** Scripts of the shell that its page loads directly. */
const PAGE_SCRIPTS = /shell[\\/]src[\\/](?:preload|appearance)\.ts$/;
/** A chunk that takes longer fails, so that the page shows Retry instead of loading forever. */
const CHUNK_TIMEOUT_MS = 7000;

/** Returns the webpack configuration of a front end. The gateway serves the files in `dist/`. */
export function frontendConfig({ dir, name, kind, exposes = {}, firstCalls, port }: Frontend): Configuration {
  const isServed = process.env.WEBPACK_SERVE === "true";
  const isHost = kind === "host";
  const folder = isHost ? "assets/" : "";

  return {
    name,
    mode: isServed ? "development" : "production",
    context: dir,
    target: ["web", "es2022"],
    // A remote has a page of its own in development only.
    entry: isHost ? { main: "./src/main.ts" } : isServed ? { main: "./src/standalone.ts" } : {},
    devtool: isServed ? "source-map" : "hidden-source-map",
    output: {
      path: join(dir, "dist"),
      // The build of the service worker writes into the same folder.
      clean: { keep: /^service-worker/ },
      // A remote must work in any release folder; the shell's deep links need an absolute path.
      publicPath: isHost || isServed ? "/" : "auto",
      filename: `${folder}[name].[contenthash:8].js`,
      chunkFilename: `${folder}[name].[contenthash:8].js`,
      assetModuleFilename: `${folder}[name].[contenthash:8][ext]`,
      uniqueName: name,
      chunkLoadTimeout: CHUNK_TIMEOUT_MS,
      // The Content Security Policy accepts script URLs only from the Trusted Types policies in
      // gateway/conf/http/policies.conf.
      trustedTypes: { policyName: `${name}#webpack` },
    },
    resolve: { extensions: [".ts", ".tsx", ".js"] },
    module: {
      rules: [
        { test: PAGE_SCRIPTS, type: "asset/resource", generator: { filename: "assets/[name].[contenthash:8].js" } },
        typescript,
        // The schemas have no side effects, so unused ones stay out of the bundle.
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
        { test: /\.(?:svg|png)$/, type: "asset/resource" },
      ],
    },
    optimization: {
      minimizer: [minimizer, new CssMinimizerPlugin()],
      // The shell's page contains the names of its scripts, which minification must not change.
      realContentHash: !isHost,
      splitChunks: isHost ? { cacheGroups: { default: false, defaultVendors: false, vendor: VENDOR } } : false,
    },
    performance: { hints: false },
    plugins: [
      new ModuleFederationPlugin(
        isHost ? hostOptions(name, dir) : remoteOptions({ name, exposes, firstCalls }, isServed),
      ),
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
              // The shell's template contains its own script tags.
              inject: !isHost,
              // remoteEntry is for shells; the page of a remote needs `main` only.
              chunks: isHost ? "all" : ["main"],
              minify: isServed ? false : { collapseWhitespace: true, keepClosingSlash: true },
            }),
          ]
        : []),
      ...(isHost
        ? [
            new HtmlWebpackPlugin({
              template: "./src/manifest.ejs",
              filename: "manifest.webmanifest",
              inject: false,
              minify: false,
            }),
          ]
        : []),
    ],
    watchOptions: { ignored: ["**/node_modules/**", "**/dist/**"] },
    devServer: {
      port,
      historyApiFallback: true,
      // Hot replacement of a remote inside a shell fails, so the page reloads.
      hot: false,
      liveReload: true,
      ...(process.env.MOCK ? withRecordedResponses(dir) : withStack(isHost)),
    },
  };
}

type DevServer = NonNullable<Configuration["devServer"]>;

/** Proxies calls, sockets and, for the shell, remotes to a running stack. */
function withStack(isHost: boolean): DevServer {
  const target = process.env.STACK_URL ?? "http://localhost:8080";
  const context = ["/messageoh", "/socket.io", ...(isHost ? ["/mfe-auth", "/mfe-chat"] : [])];
  // The gateway rejects calls from other origins.
  const headers = { origin: new URL(target).origin };
  return { proxy: [{ context, target, headers, changeOrigin: true, secure: false, ws: true }] };
}

/** Serves the responses of `recorded.json`. The socket cannot connect. */
function withRecordedResponses(dir: string): DevServer {
  return {
    setupMiddlewares: (middlewares) => {
      middlewares.unshift({ name: "recorded", middleware: serveRecorded(dir) });
      return middlewares;
    },
  };
}

/** The libraries of the shell in a file of their own, which stays cached across releases of the shell. */
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
    // The shell loads the addresses of remotes at run time.
    remotes: {},
    manifest: false,
    dts: false,
    shareStrategy: "loaded-first",
    runtimePlugins: [join(dir, "src/federation/plugin.ts")],
    shared: share({ singleton: true, eager: true, requiredVersion: REACT_RANGE }),
    // Leaves out the code that fetches manifests: the shell knows the address of each remote's entry.
    experiments: { optimization: { target: "web", disableSnapshot: true } },
  };
}

function remoteOptions(
  { name, exposes, firstCalls }: Pick<Frontend, "name" | "exposes" | "firstCalls">,
  isServed: boolean,
): FederationOptions {
  return {
    name,
    filename: "remoteEntry.[contenthash:8].js",
    exposes,
    manifest: {
      additionalData: ({ stats }) => {
        Object.assign(stats.metaData, { pageProps: PAGE_PROPS_VERSION, firstCalls });
      },
    },
    dts: false,
    shareStrategy: "loaded-first",
    // strictVersion: an incompatible React fails with an error that the shell can show.
    shared: share({ singleton: true, strictVersion: true, requiredVersion: REACT_RANGE }),
    // In production a remote uses the federation runtime of the shell.
    experiments: { optimization: { target: "web", disableRemote: true }, externalRuntime: !isServed },
  };
}

// A key covers one import path only: `react-dom` does not cover `react-dom/client`.
function share<Rule>(rule: Rule): Record<string, Rule> {
  return Object.fromEntries(SHARED.map((key) => [key, rule]));
}

// `npm run release` compares this contract of the shell with the manifest of each remote.
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
