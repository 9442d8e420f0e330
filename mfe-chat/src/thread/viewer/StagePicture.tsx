import type { ReactElement } from "react";
import { mediaUrl } from "../../links/mediaUrl.ts";
import { RetryButton } from "../../requests/RetryButton.tsx";
import { type ShownAttachment, storedIdOf } from "../../state/thread/shownAttachment.ts";
import { ThumbHash } from "../attachments/ThumbHash.tsx";
import { useLocalUrl } from "../attachments/useLocalUrl.ts";
import { useReloadedPicture } from "../attachments/useReloadedPicture.ts";
import css from "./PictureViewer.module.css";

/** Renders one picture as large as the stage allows, over its blurred preview. */
export function StagePicture({ picture, alt }: { picture: ShownAttachment; alt: string }): ReactElement {
  const { fileKey, width, height, thumbhash } = picture;
  const storedId = storedIdOf(picture);
  const localUrl = useLocalUrl(fileKey);
  const { attempt, state, retry, handleLoad, handleError } = useReloadedPicture();
  const src = localUrl ?? (storedId === null ? undefined : mediaUrl(storedId, "view"));
  return (
    <>
      {src && state !== "failed" ? (
        <img
          key={attempt}
          className={css.image}
          src={src}
          alt={alt}
          width={width}
          height={height}
          draggable={false}
          onLoad={handleLoad}
          onError={handleError}
        />
      ) : null}
      {thumbhash && state === "loading" ? <ThumbHash hash={thumbhash} /> : null}
      {state === "failed" ? (
        <div className={css.failed}>
          <p>The photo could not be loaded.</p>
          <RetryButton variant="secondary" onClick={retry} />
        </div>
      ) : null}
    </>
  );
}
