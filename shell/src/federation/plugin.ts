import type { ModuleFederationRuntimePlugin } from "@module-federation/enhanced/runtime";

const TIMEOUT_MS = 8000;

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
      script.src = url;
      return { script, timeout: TIMEOUT_MS };
    },
  };
}
