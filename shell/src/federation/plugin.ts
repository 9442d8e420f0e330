import type { ModuleFederationRuntimePlugin } from "@module-federation/enhanced/runtime";
import * as runtimeCore from "@module-federation/runtime-core";
import { STEP_TIMEOUT_MS } from "./pointer.ts";

// Remotes are built without a federation runtime; their builds look for the shell's under this name.
Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore });

/** The Content-Security-Policy requires Trusted Types for script URLs; this policy rejects other origins. */
const scripts = window.trustedTypes?.createPolicy("shell#remotes", {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`${url} has another origin`);
    return url;
  },
});

/** Limits the wait for a remote's entry to less than the 20 s of the federation runtime. */
export default function shellPlugin(): ModuleFederationRuntimePlugin {
  return {
    name: "shell-plugin",
    createScript({ url }) {
      const script = document.createElement("script");
      // TypeScript's DOM types do not include Trusted Types yet.
      script.src = (scripts?.createScriptURL(url) ?? url) as string;
      return { script, timeout: STEP_TIMEOUT_MS };
    },
  };
}
