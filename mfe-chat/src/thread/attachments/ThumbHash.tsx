import { type ReactElement, useEffect, useRef } from "react";
import { thumbHashToRGBA } from "thumbhash";
import css from "./Picture.module.css";

/** Renders the blurred preview of a picture. A canvas, because the policy of the page allows no `data:` addresses. */
export function ThumbHash({ hash }: { hash: string }): ReactElement {
  const canvasRef = useRef<HTMLCanvasElement>(null);

  useEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas) return;
    try {
      const bytes = Uint8Array.from(atob(hash), (character) => character.charCodeAt(0));
      const { w, h, rgba } = thumbHashToRGBA(bytes);
      Object.assign(canvas, { width: w, height: h });
      canvas.getContext("2d")?.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0);
    } catch (error) {
      console.warn("A preview of a picture is not shown", error);
    }
  }, [hash]);

  return <canvas ref={canvasRef} className={css.fill} />;
}
