import { type ReactElement, useEffect, useRef } from "react";
import { drawThumbHash } from "./drawThumbHash.ts";
import css from "./Tile.module.css";

/** Renders the blurred preview of a picture. A canvas, because the policy of the page allows no `data:` addresses. */
export function ThumbHash({ hash }: { hash: string }): ReactElement {
  const canvasRef = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvasRef.current) drawThumbHash(canvasRef.current, hash);
  }, [hash]);
  return <canvas ref={canvasRef} className={css.fill} />;
}
