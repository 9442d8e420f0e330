import { Icon } from "@messageoh/ui-kit/basics/Icon";
import type { ReactElement } from "react";
import type { ShownAttachment } from "../../state/thread/shownAttachment.ts";
import { fileSize } from "./fileSize.ts";
import type { Frame } from "./frames.ts";
import { mediaUrl } from "./mediaUrl.ts";
import css from "./OtherFile.module.css";
import { useLocalUrl } from "./useLocalUrl.ts";

export interface OtherFileProps {
  file: ShownAttachment;
  frame: Frame;
  tabIndex: 0 | -1;
}

/** Renders a file that is no picture: a player if the browser can play it, and its name, size and download. */
export function OtherFile({ file, frame, tabIndex }: OtherFileProps): ReactElement {
  return (
    <>
      {frame === "file" ? null : <Player file={file} frame={frame} tabIndex={tabIndex} />}
      <FileRow file={file} tabIndex={tabIndex} />
    </>
  );
}

function Player({ file, frame: Element, tabIndex }: OtherFileProps & { frame: "video" | "audio" }): ReactElement {
  const localUrl = useLocalUrl(file.fileKey);
  const src = localUrl ?? (file.id !== null && file.fileKey === undefined ? mediaUrl(file.id, "view") : undefined);
  return (
    // biome-ignore lint/a11y/useMediaCaption: files of users have no captions
    <Element
      className={css[Element]}
      src={src}
      aria-label={file.name}
      tabIndex={tabIndex}
      controls
      preload="metadata"
      playsInline
    />
  );
}

function FileRow({ file, tabIndex }: Pick<OtherFileProps, "file" | "tabIndex">): ReactElement {
  const { id, name, bytes, fileKey } = file;
  const dot = name.lastIndexOf(".");
  const end = dot > 0 && name.length - dot <= 8 ? dot : name.length;
  return (
    <div className={css.row}>
      <span className={css.icon}>
        <Icon name="file" />
      </span>
      <span className={css.text}>
        {/* The type stays visible if the name is cut, and no character of the name moves it. */}
        <bdi className={css.name} title={name}>
          <span className={css.stem}>{name.slice(0, end)}</span>
          <span>{name.slice(end)}</span>
        </bdi>
        <span className={css.size}>{fileSize(bytes)}</span>
      </span>
      {id !== null && fileKey === undefined ? (
        <a
          className={css.download}
          href={mediaUrl(id, "file")}
          download
          aria-label={`Download ${name}`}
          title="Download"
          tabIndex={tabIndex}
        >
          <Icon name="download" />
        </a>
      ) : null}
    </div>
  );
}
