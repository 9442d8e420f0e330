// A separate entry without imports that runs before the shell and preloads the page of this visit. It is only a hint:
// if it fails, the shell loads the page as usual.
interface Asset {
  js: { sync: string[] };
  css: { sync: string[] };
}
interface Release {
  entry: string;
  manifest: { metaData: { remoteEntry: { name: string } }; exposes: { name: string; assets: Asset }[] };
}
interface Pointer extends Release {
  canary?: Release & { percent: number };
}

function preload(remote: string, page: string): void {
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
}

try {
  const [path] = location.pathname.split("/").slice(1);
  const isGuarded = ["login", "register", "home"].includes(path ?? "");
  if (localStorage.getItem("current-user-id")) {
    if (isGuarded || path === "") preload("mfe_chat", "ChatPage");
  } else if (isGuarded) {
    preload("mfe_auth", path === "register" ? "RegisterPage" : "LoginPage");
  }
} catch (error) {
  console.warn("Nothing is preloaded", error);
}

export {};
