import { useEffect, useState } from "react";
import { drawThumbHash } from "./drawThumbHash.ts";

/**
 * Returns the address of a blurred preview of a video. A canvas behind the video is no replacement: Chromium covers it
 * until the video has a poster or a frame.
 */
export function usePoster(hash: string | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const canvas = document.createElement("canvas");
    if (hash === undefined || !drawThumbHash(canvas, hash)) return;
    let made = "";
    let isGone = false;
    canvas.toBlob((blob) => {
      if (blob === null || isGone) return;
      made = URL.createObjectURL(blob);
      setUrl(made);
    });
    return () => {
      isGone = true;
      URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [hash]);
  return url;
}
