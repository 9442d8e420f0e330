import type { ReadyRow } from "../media/media.model.ts";

/** Returns the name under which a file is saved. The extension of a picture follows from its new type. */
export const downloadName = ({ name, content }: ReadyRow): string =>
  content.kind === "picture" ? `${name.replace(/\.\w{1,10}$/, "")}.webp` : name;

/** Returns the header that tells a browser to save a file under its name, or to show it (RFC 6266). */
export function contentDisposition(row: ReadyRow, isDownload: boolean): string {
  if (!isDownload) return "inline";
  const name = downloadName(row);
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
