const policy = window.trustedTypes?.createPolicy("shell#remotes", {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`${url} has another origin`);
    return url;
  },
});

/**
 * Returns the URL of a script as the Content-Security-Policy requires it, which is a Trusted Type and not a string.
 * Throws if the URL has another origin.
 */
export function trustedScriptUrl(url: string): string {
  // TypeScript's DOM types do not include Trusted Types yet.
  return (policy?.createScriptURL(url) ?? url) as string;
}
