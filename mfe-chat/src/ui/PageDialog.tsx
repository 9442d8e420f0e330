import { DESKTOP_QUERY, useMediaQuery } from "@messageoh/ui-kit/hooks/useMediaQuery";
import { Dialog, type DialogProps } from "@messageoh/ui-kit/overlays/Dialog";
import type { ReactElement } from "react";
import { useCover } from "../errors/useCover.ts";

/** Renders a dialog that fills a phone like a page of its own, and covers the open thread then. */
export function PageDialog(props: Omit<DialogProps, "fills">): ReactElement {
  const isPage = !useMediaQuery(DESKTOP_QUERY);
  useCover(isPage);
  return <Dialog {...props} fills={isPage ? "page" : undefined} />;
}
