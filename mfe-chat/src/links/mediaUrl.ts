import { API_BASE } from "@messageoh/contracts/client";

/** Returns the address of an attachment: its small picture, what is shown or played, or the download. */
export const mediaUrl = (id: string, variant: "thumb" | "view" | "file"): string =>
  `${API_BASE}/media/${encodeURIComponent(id)}/${variant}`;
