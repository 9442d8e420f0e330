import type { ModuleFederationRuntimePlugin } from "@module-federation/enhanced/runtime";
import * as runtimeCore from "@module-federation/runtime-core";
import { STEP_TIMEOUT_MS } from "./pointer.ts";

// Remotes are built without a federation runtime of their own and find this one under the name that their build gives it.
Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore });

/** The page's policy takes script addresses from named makers only; this one makes none of another origin. */
const scripts = window.trustedTypes?.createPolicy("shell#remotes", {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`${url} is of another origin`);
    return url;
  },
});

/** Gives up waiting for a remote's entry sooner than the federation runtime would by itself, which is after 20 s. */
export default function shellPlugin(): ModuleFederationRuntimePlugin {
  return {
    name: "shell-plugin",
    createScript({ url }) {
      const script = document.createElement("script");
      // The types of the DOM know no trusted ones yet.
      script.src = (scripts?.createScriptURL(url) ?? url) as string;
      return { script, timeout: STEP_TIMEOUT_MS };
    },
  };
}
