import Linkify from "linkify-react";
import type { Opts } from "linkifyjs";
import type { ReactElement } from "react";
import { isSafeLink } from "./isSafeLink.ts";

const OPTIONS: Opts = {
  defaultProtocol: "https",
  target: "_blank",
  rel: "noopener noreferrer",
  validate: isSafeLink,
};

/** Renders a text with web and mail addresses as links. */
export function LinkedText({ text }: { text: string }): ReactElement {
  return <Linkify options={OPTIONS}>{text}</Linkify>;
}
