import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import type { ReactElement } from "react";
import { mediaUrl } from "../../links/mediaUrl.ts";
import css from "./DownloadLink.module.css";

export interface DownloadLinkProps {
  id: string;
  /** Name of the file, unless it is the title of what the link is in. */
  name?: string;
  tabIndex?: 0 | -1;
}

/** Renders an icon that downloads a file. */
export const DownloadLink = ({ id, name, tabIndex }: DownloadLinkProps): ReactElement => (
  <a
    className={css.link}
    href={mediaUrl(id, "file")}
    download
    aria-label={name === undefined ? "Download" : `Download ${name}`}
    title="Download"
    tabIndex={tabIndex}
  >
    <Icon icon={icons.download} />
  </a>
);
