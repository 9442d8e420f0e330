import { thumbHashToRGBA } from "thumbhash";

/** Draws a blurred preview and sizes the canvas for it. Returns whether it is drawn. */
export function drawThumbHash(canvas: HTMLCanvasElement, hash: string): boolean {
  try {
    const bytes = Uint8Array.from(atob(hash), (character) => character.charCodeAt(0));
    const { w, h, rgba } = thumbHashToRGBA(bytes);
    Object.assign(canvas, { width: w, height: h });
    const context = canvas.getContext("2d");
    context?.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0);
    return context !== null && context !== undefined;
  } catch (error) {
    console.warn("A preview of a picture is not shown", error);
    return false;
  }
}
