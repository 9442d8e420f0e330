import { addRelease } from "./addRelease.ts";
import { distDir, FRONTENDS, type Frontend } from "./frontends.ts";
import { filesOf, hashFiles } from "./hash.ts";
import { makeLive, prune } from "./live.ts";
import { releaseName } from "./releaseName.ts";
import { checkoutKey, Store } from "./store.ts";

/**
 * Releases the front ends of this checkout that changed since its last release. A restart without changes keeps the
 * releases and rollbacks that teams made in between.
 */
export async function publishFrontends(
  root: string,
  www: string,
  frontends: readonly Frontend[] = FRONTENDS,
): Promise<void> {
  for (const frontend of frontends) {
    const dist = distDir(root, frontend);
    const store = new Store(www, frontend);
    const content = await hashFiles(dist, await filesOf(dist));
    const { checkouts } = await store.state();
    if (checkouts[checkoutKey(root)] === content && (await store.pointer())) continue;
    const release = await addRelease(store, dist, () => releaseName(root, frontend, content));
    if ((await store.pointer())?.release !== release.release) await makeLive(store, release);
    await rememberCheckout(store, root, content);
    await prune(store);
  }
}

/** Stores the content that this checkout released last. */
export async function rememberCheckout(store: Store, root: string, content: string): Promise<void> {
  const state = await store.state();
  await store.setState({ ...state, checkouts: { ...state.checkouts, [checkoutKey(root)]: content } });
}
