// A file of its own, ahead of all others and importing none: it asks for the page that this visit will need while the
// shell itself is still on its way. Only a hint: whatever fails here, the shell loads as if it had not been.
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
  // As federation/rolloutBucket.ts keeps it.
  const bucket = Number(localStorage.getItem(`messageoh:rollout:${remote}`) ?? 100);
  const { entry, manifest } = canary && bucket < canary.percent ? canary : pointer;
  const assets = manifest.exposes.find(({ name }) => name === page)?.assets;
  const add = (as: string) => (file: string) =>
    document.head.append(
      Object.assign(document.createElement("link"), {
        rel: "preload",
        as,
        href: new URL(file, location.origin + entry),
        // The shell's own files must not wait for them.
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
