import type { ModuleFederationRuntimePlugin } from "@module-federation/enhanced/runtime";
import * as runtimeCore from "@module-federation/runtime-core";
import { trustedScriptUrl } from "../trustedScriptUrl.ts";
import { STEP_TIMEOUT_MS } from "./pointer.ts";

// Remotes are built without a federation runtime; their builds look for the shell's under this name.
Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore });

/** Limits the wait for a remote's entry to less than the 20 s of the federation runtime. */
export default function shellPlugin(): ModuleFederationRuntimePlugin {
  return {
    name: "shell-plugin",
    createScript({ url }) {
      const script = document.createElement("script");
      script.src = trustedScriptUrl(url);
      return { script, timeout: STEP_TIMEOUT_MS };
    },
  };
}
