import { useState } from "react";

const loadRegistration = () => import("./registration.ts");

type Registration = Awaited<ReturnType<typeof loadRegistration>>;

/**
 * Returns the name check and the call of the registration, and `prepare`, which loads them. Until they are loaded, the
 * name check accepts every name; the server checks it again.
 */
export function useRegistration() {
  const [loaded, setLoaded] = useState<Registration | null>(null);
  return {
    nameError: (name: string) => loaded?.nameError(name) ?? null,
    createAccount: async (...args: Parameters<Registration["createAccount"]>) =>
      (await loadRegistration()).createAccount(...args),
    /** Call it with every input, so that the form shows before its rules are loaded. */
    prepare(): void {
      // A failure counts when the form is sent, which loads them again.
      if (!loaded) loadRegistration().then(setLoaded, () => undefined);
    },
  };
}
