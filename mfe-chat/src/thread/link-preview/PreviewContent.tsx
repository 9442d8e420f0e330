import type { LinkPreview } from "@messageoh/contracts/linkPreviews";
import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { type ReactElement, useState } from "react";
import { mediaUrl } from "../../links/mediaUrl.ts";
import css from "./PreviewContent.module.css";

/**
 * Renders the picture, the title and the host of a page. It has the same height before and after the picture is loaded.
 */
export function PreviewContent({ preview }: { preview: LinkPreview }): ReactElement {
  const { id, title, site, picture } = preview;
  const [isFailed, setIsFailed] = useState(false);
  return (
    <>
      {picture ? (
        <span className={css.picture}>
          {isFailed ? (
            <Icon icon={icons.link} />
          ) : (
            <img
              src={mediaUrl(id, "thumb")}
              className={css.image}
              alt=""
              loading="lazy"
              decoding="async"
              draggable={false}
              onError={() => setIsFailed(true)}
            />
          )}
        </span>
      ) : null}
      <span className={css.texts}>
        <span className={css.title} dir="auto">
          {title}
        </span>
        <bdi className={css.site}>{site}</bdi>
      </span>
    </>
  );
}
