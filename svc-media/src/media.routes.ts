import type { MediaState } from "@messageoh/contracts/media";
import * as contract from "@messageoh/contracts/media";
import { notFound } from "@messageoh/service-kit/errors";
import type { Routes } from "@messageoh/service-kit/routes";
import type { Deps } from "./deps.ts";
import { contentDisposition } from "./downloads/contentDisposition.ts";
import { isReady, type MediaRow, type ReadyRow, toAttachment } from "./media/media.model.ts";
import { storageKey } from "./storage/storage.ts";

type Variant = "thumb" | "view" | "file";

/** Mounts the calls with which browsers follow their uploads and load pictures and files. */
export function mediaRoutes(routes: Routes, deps: Deps): void {
  const { createLinkPreview, exportFiles, findReadable, media, members, storage, usedSpace } = deps;

  routes.signedIn(contract.exportMedia, async ({ session, requireSession, ctx }) =>
    exportFiles(session.user.id, requireSession, ctx),
  );

  routes.signedIn(contract.getUsedSpace, async ({ session }) => usedSpace(session.user.id));

  routes.signedIn(contract.createLinkPreview, async ({ body: { thread_id, url }, session, ctx }) => {
    const user_id = session.user.id;
    await members.findForMember(thread_id, user_id);
    const gone = new AbortController();
    ctx.res.once("close", () => gone.abort());
    return { preview: await createLinkPreview({ user_id, thread_id, url, signal: gone.signal }) };
  });

  routes.signedIn(contract.getMediaState, async ({ params, session }) => {
    const row = await media.findOne({ _id: params.media_id, owner_id: session.user.id });
    if (!row || row.state === "removed" || row.state === "preview") throw notFound();
    return stateOf(row);
  });

  routes.signedIn(contract.getMedia, async ({ params: { media_id, variant }, session, ctx }) => {
    const row = await findReadable(media_id, session.user.id);
    const key = keyOf(row, variant);
    ctx.set({
      "content-type": variant === "thumb" ? "image/webp" : row.content.type,
      "content-disposition": contentDisposition(row, variant === "file"),
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-accel-redirect": await storage.locate(key, ctx.method),
    });
    // The gateway adds how long a browser may keep the file, but not to an error.
    ctx.remove("cache-control");
    return "";
  });
}

function stateOf(row: MediaRow): MediaState {
  if (isReady(row)) return { state: "ready", attachment: toAttachment(row) };
  if (row.state === "refused") return { state: "refused", error: row.error ?? "" };
  return { state: row.state === "uploading" ? "uploading" : "processing" };
}

/** Returns the key of a variant. Throws 404 for a variant that files of this kind do not have. */
function keyOf({ _id, content: { kind } }: ReadyRow, variant: Variant): string {
  const key = storageKey(_id);
  if (kind === "picture") return `${key}.${variant === "thumb" ? "thumb" : "view"}`;
  if (variant === "file" || (variant === "view" && kind !== "file")) return key;
  throw notFound();
}
