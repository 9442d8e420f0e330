// A separate entry without imports that runs before the shell. It preloads the page of this visit and makes its first
// calls (session/earlyCalls.ts). It is only a hint: if it fails, the shell loads the page as usual.
interface Asset {
  js: { sync: string[] };
  css: { sync: string[] };
}
interface Release {
  entry: string;
  manifest: {
    metaData: { remoteEntry: { name: string }; firstCalls?: Record<string, string[]> };
    exposes: { name: string; assets: Asset }[];
  };
}
interface Pointer extends Release {
  canary?: Release & { percent: number };
}

const API = "/messageoh";

/** Preloads a page and returns the calls that it makes first. */
function preload(remote: string, page: string): string[] {
  const pointer: Pointer = JSON.parse(document.getElementById(`pointer-${remote}`)?.textContent ?? "");
  const { canary } = pointer;
  // The same storage key as in federation/rolloutBucket.ts.
  const bucket = Number(localStorage.getItem(`messageoh:rollout:${remote}`) ?? 100);
  const { entry, manifest } = canary && bucket < canary.percent ? canary : pointer;
  const assets = manifest.exposes.find(({ name }) => name === page)?.assets;
  const add = (as: string) => (file: string) =>
    document.head.append(
      Object.assign(document.createElement("link"), {
        rel: "preload",
        as,
        href: new URL(file, location.origin + entry),
        // These files must not delay the shell's own.
        fetchPriority: "low",
      }),
    );
  [manifest.metaData.remoteEntry.name, ...(assets?.js.sync ?? [])].forEach(add("script"));
  assets?.css.sync.forEach(add("style"));
  return manifest.metaData.firstCalls?.[page] ?? [];
}

/** Makes calls for the stored user, whose check comes first. */
function callEarly(userId: string, paths: string[]): void {
  globalThis.messageohEarlyCalls = new Map(
    ["/users/:user_id", ...paths].map((path, index) => {
      const address = API + path.replace(":user_id", encodeURIComponent(userId));
      const call = fetch(address, { priority: index === 0 ? "high" : "low" });
      // The shell may not need it.
      call.catch(() => undefined);
      return [address, call];
    }),
  );
}

try {
  const [path] = location.pathname.split("/").slice(1);
  const isGuarded = ["login", "register", "home"].includes(path ?? "");
  const userId = localStorage.getItem("current-user-id");
  if (userId) {
    if (isGuarded || path === "") callEarly(userId, preload("mfe_chat", "ChatPage"));
  } else if (isGuarded) {
    preload("mfe_auth", path === "register" ? "RegisterPage" : "LoginPage");
  }
} catch (error) {
  console.warn("Nothing is preloaded", error);
}

export {};
