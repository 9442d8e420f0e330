/** The parts in use of https://w3c.github.io/trusted-types/, which TypeScript does not describe yet. */
interface Window {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(url: string): string },
    ): { createScriptURL(url: string): unknown };
  };
}
