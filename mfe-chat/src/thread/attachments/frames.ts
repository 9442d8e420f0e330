import { isVoice } from "@messageoh/contracts/attachments";
import type { ShownAttachment } from "../../state/thread/shownAttachment.ts";

/** Width and height as shares of the full width of the pictures in a bubble. */
interface Shape {
  width: number;
  height: number;
}

const SQUARE: Shape = { width: 1, height: 1 };
/** A single picture is shown whole within these shares; a longer or wider one is cut. */
const NARROWEST = 0.5;
const FLATTEST = 0.4;
const HIGHEST = 1.2;

/** Returns the space for the pictures of a message, known before they are loaded so that the layout never jumps. */
export function shapeOf(pictures: readonly Pick<ShownAttachment, "width" | "height">[]): Shape {
  if (pictures.length === 2) return { width: 1, height: 0.5 };
  if (pictures.length === 3) return { width: 1, height: 2 / 3 };
  const [{ width, height } = {}] = pictures;
  if (pictures.length > 1 || !width || !height) return SQUARE;
  const ratio = height / width;
  if (ratio <= HIGHEST) return { width: 1, height: Math.max(FLATTEST, ratio) };
  return { width: Math.max(NARROWEST, HIGHEST / ratio), height: HIGHEST };
}

/** Views of a file; their heights are fixed in Attachments.module.css. `unplayable`: this browser cannot play it. */
export type Frame = "voice" | "video" | "audio" | "file" | "unplayable";

/** Returns how a file that is no picture is shown: it plays where the browser can. */
export function frameOf(file: Pick<ShownAttachment, "kind" | "type" | "wave">): Frame {
  const { kind, type } = file;
  if (kind !== "video" && kind !== "audio") return "file";
  if (document.createElement(kind).canPlayType(type) === "") return "unplayable";
  return isVoice(file) ? "voice" : kind;
}
