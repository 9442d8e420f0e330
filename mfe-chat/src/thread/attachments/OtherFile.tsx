import * as icons from "@messageoh/ui-kit/basics/icons";
import { type ReactElement, useState } from "react";
import { mediaUrl } from "../../links/mediaUrl.ts";
import { type ShownAttachment, storedIdOf } from "../../state/thread/shownAttachment.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { FileName } from "../../ui/FileName.tsx";
import { fileSize } from "../../ui/fileSize.ts";
import { ItemRow } from "../../ui/ItemRow.tsx";
import { trackOf } from "../voice/tracks.ts";
import { VoicePlayer } from "../voice/VoicePlayer.tsx";
import { DownloadLink } from "./DownloadLink.tsx";
import type { Frame } from "./frames.ts";
import css from "./OtherFile.module.css";
import { useLocalUrl } from "./useLocalUrl.ts";
import { usePoster } from "./usePoster.ts";
import { useReloadedPicture } from "./useReloadedPicture.ts";

export interface OtherFileProps {
  message: ThreadMessage;
  /** Place of the file among the attachments of the message. */
  index: number;
  frame: Frame;
  tabIndex: 0 | -1;
}

/** Renders a file that is no picture: a player if the browser can play it, and its name, size and download. */
export function OtherFile({ message, index, frame, tabIndex }: OtherFileProps): ReactElement | null {
  const file = message.attachments?.[index];
  if (!file) return null;
  if (frame === "voice") return <VoicePlayer track={trackOf(message, file, index)} tabIndex={tabIndex} />;
  return (
    <>
      {frame === "video" || frame === "audio" ? <Player file={file} kind={frame} tabIndex={tabIndex} /> : null}
      <FileRow file={file} tabIndex={tabIndex} />
      {frame === "unplayable" ? (
        <p className={css.sentence}>This browser cannot play this {file.kind === "video" ? "video" : "recording"}.</p>
      ) : null}
    </>
  );
}

interface PlayerProps {
  file: ShownAttachment;
  kind: "video" | "audio";
  tabIndex: 0 | -1;
}

function Player({ file, kind: Element, tabIndex }: PlayerProps): ReactElement {
  const { name, fileKey, thumbhash } = file;
  const storedId = storedIdOf(file);
  const localUrl = useLocalUrl(fileKey);
  const { attempt, state, handleError } = useReloadedPicture();
  const poster = usePoster(thumbhash);
  const [hasFrame, setHasFrame] = useState(false);
  const src = localUrl ?? (storedId === null ? undefined : mediaUrl(storedId, "view"));
  if (state === "failed") {
    return (
      <p className={`${css[Element]} ${css.failed}`} dir="ltr">
        It could not be played here. You can download it.
      </p>
    );
  }
  return (
    <div className={css[Element]}>
      <Element
        key={attempt}
        className={css.media}
        src={src}
        aria-label={name}
        tabIndex={tabIndex}
        controls
        preload="metadata"
        playsInline
        // A browser keeps showing the poster until the user plays the video.
        {...(Element === "video" && { poster: hasFrame ? undefined : poster })}
        onLoadedData={() => setHasFrame(true)}
        onError={src === undefined ? undefined : handleError}
      />
    </div>
  );
}

function FileRow({ file, tabIndex }: Omit<PlayerProps, "kind">): ReactElement {
  const { name, bytes } = file;
  const storedId = storedIdOf(file);
  return (
    <ItemRow
      picture={icons.file}
      name={<FileName name={name} />}
      about={fileSize(bytes)}
      end={storedId === null ? null : <DownloadLink id={storedId} name={name} tabIndex={tabIndex} />}
    />
  );
}
