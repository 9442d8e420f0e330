import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import type { ReactElement } from "react";
import { mediaUrl } from "../../links/mediaUrl.ts";
import { type ShownAttachment, storedIdOf } from "../../state/thread/shownAttachment.ts";
import css from "./Picture.module.css";
import { ThumbHash } from "./ThumbHash.tsx";
import { Tile, TilePicture } from "./Tile.tsx";
import { useLocalUrl } from "./useLocalUrl.ts";
import { useReloadedPicture } from "./useReloadedPicture.ts";

/** Edge of the small picture of the server, in pixels. */
const THUMB_PX = 320;
/** Largest width of one of several pictures. */
const TILE_SIZES = "214px";
const SHOWN_MAX = 4;

export interface PicturesProps {
  pictures: readonly ShownAttachment[];
  /** Name of the sender, or "you". */
  owner: string;
  tabIndex: 0 | -1;
  /** Opens one of the pictures, by its place among those of the message. */
  onOpen: (picture: number, opener: Element) => void;
}

/** Renders the pictures of a message as a grid. The last of four covers the others. */
export function Pictures({ pictures, owner, tabIndex, onOpen }: PicturesProps): ReactElement {
  const hidden = pictures.length - SHOWN_MAX;
  const isAlone = pictures.length === 1;
  return (
    <>
      {pictures.slice(0, SHOWN_MAX).map((picture, index) => (
        <Picture
          // biome-ignore lint/suspicious/noArrayIndexKey: the pictures of a message keep their order; their ids change
          key={index}
          picture={picture}
          label={`Photo ${isAlone ? "" : `${index + 1} of ${pictures.length} `}from ${owner}: ${picture.name}`}
          isAlone={isAlone}
          more={index === SHOWN_MAX - 1 ? hidden : 0}
          tabIndex={tabIndex}
          onOpen={(opener) => onOpen(index, opener)}
        />
      ))}
    </>
  );
}

interface PictureProps {
  picture: ShownAttachment;
  label: string;
  /** The message has no other picture. */
  isAlone: boolean;
  /** Pictures that this one stands for. */
  more: number;
  tabIndex: 0 | -1;
  onOpen: (opener: Element) => void;
}

function Picture({ picture, label, isAlone, more, tabIndex, onOpen }: PictureProps): ReactElement {
  const { thumbhash, fileKey } = picture;
  const storedId = storedIdOf(picture);
  const localUrl = useLocalUrl(fileKey);
  const { attempt, state, retry, handleLoad, handleError } = useReloadedPicture();
  const isFailed = state === "failed";
  const stored = storedId === null ? null : sourceOf(storedId, picture, isAlone);
  const source = localUrl ? { src: localUrl } : stored;
  return (
    <Tile
      label={isFailed ? `${label}. It could not be loaded. Try again` : label}
      tabIndex={tabIndex}
      onOpen={isFailed ? retry : onOpen}
    >
      {thumbhash && state !== "loaded" ? <ThumbHash hash={thumbhash} /> : null}
      {source && !isFailed ? <TilePicture key={attempt} {...source} onLoad={handleLoad} onError={handleError} /> : null}
      {isFailed ? (
        <span className={css.failed}>
          <Icon icon={icons.retry} />
        </span>
      ) : null}
      {more > 0 && !isFailed ? (
        <span className={css.more} dir="ltr">
          +{more}
        </span>
      ) : null}
    </Tile>
  );
}

/** A single picture is the one that the viewer shows, which may move: the small one of an animation does not. */
function sourceOf(id: string, { width = 0, height = 0 }: ShownAttachment, isAlone: boolean): Source {
  const src = mediaUrl(id, "view");
  const edge = Math.max(width, height);
  if (isAlone || edge <= THUMB_PX) return { src };
  const thumbWidth = Math.max(1, Math.round((THUMB_PX * width) / edge));
  return { src, srcSet: `${mediaUrl(id, "thumb")} ${thumbWidth}w, ${src} ${width}w`, sizes: TILE_SIZES };
}

interface Source {
  src: string;
  srcSet?: string;
  sizes?: string;
}
