import type { ModuleFederationRuntimePlugin } from "@module-federation/enhanced/runtime";

const TIMEOUT_MS = 8000;

/** The page's policy takes script addresses from named makers only; this one makes none of another origin. */
const scripts = window.trustedTypes?.createPolicy("shell#remotes", {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`${url} is of another origin`);
    return url;
  },
});

/** Mends three things in how the federation runtime loads a remote. */
export default function shellPlugin(): ModuleFederationRuntimePlugin {
  return {
    name: "shell-plugin",

    // The runtime would insert the stylesheet itself. The remote's chunk then takes it for loaded, shows the page before
    // it has a style, and never learns that it failed. A mere preload leaves inserting and waiting to the chunk.
    createLink({ url }) {
      if (!/\.css(\?|$)/.test(url)) return;
      const link = document.createElement("link");
      link.rel = "preload";
      link.as = "style";
      link.href = url;
      return link;
    },

    // Without it a manifest that never answers waits for ever.
    fetch(url, init) {
      return fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    },

    // The default is 20 s.
    createScript({ url }) {
      const script = document.createElement("script");
      // The types of the DOM know no trusted ones yet.
      script.src = (scripts?.createScriptURL(url) ?? url) as string;
      return { script, timeout: TIMEOUT_MS };
    },
  };
}
