import { plainText } from "@messageoh/contracts/formatting";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { readingDirection } from "@messageoh/ui-kit/basics/readingDirection";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { useWindowEvent } from "@messageoh/ui-kit/hooks/useWindowEvent";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import { useCover } from "../../errors/useCover.ts";
import { shownMessages } from "../../state/thread/shownMessages.ts";
import type { Thread } from "../../state/thread/thread.ts";
import { useChatState } from "../../useChat.ts";
import { DownloadLink } from "../attachments/DownloadLink.tsx";
import css from "./PictureViewer.module.css";
import { StagePicture } from "./StagePicture.tsx";
import { pictureKey, picturesIn, type ThreadPicture } from "./threadPictures.ts";
import { useZoom } from "./useZoom.ts";
import { ZOOM_STEP } from "./zoom.ts";

export interface PictureViewerProps {
  threadId: string;
  /** Key of the message whose picture is shown first, and the place of that picture in it. */
  messageKey: string;
  picture: number;
  /** Oldest first; by default those of the loaded part of the thread. */
  pictures?: readonly ThreadPicture[];
  onClose: () => void;
}

/** Renders pictures of a thread, one at a time. It closes when its last one is deleted. */
export function PictureViewer(props: PictureViewerProps): ReactElement | null {
  const { threadId, messageKey, picture, pictures: given, onClose } = props;
  const thread = useChatState((state) => state.threads.get(threadId));
  const pictures = useMemo(() => given ?? (thread ? picturesIn(shownMessages(thread)) : []), [given, thread]);
  const [key, setKey] = useState(pictureKey(messageKey, picture));
  const at = pictures.findIndex((candidate) => candidate.key === key);
  /** Where the shown picture was, for the case that it is deleted. */
  const lastAt = useRef(Math.max(0, at));
  const index = at >= 0 ? at : Math.min(lastAt.current, pictures.length - 1);
  const shown = pictures[index];
  useEffect(() => {
    lastAt.current = index;
    if (!shown) onClose();
  }, [index, shown, onClose]);

  if (!thread || !shown) return null;
  return (
    <Viewer
      thread={thread}
      shown={shown}
      previous={pictures[index - 1]}
      next={pictures[index + 1]}
      position={`${index + 1} of ${pictures.length}`}
      onShow={setKey}
      onClose={onClose}
    />
  );
}

interface ViewerProps {
  thread: Thread;
  shown: ThreadPicture;
  previous: ThreadPicture | undefined;
  next: ThreadPicture | undefined;
  position: string;
  onShow: (key: string) => void;
  onClose: () => void;
}

function Viewer({ thread, shown, previous, next, position, onShow, onClose }: ViewerProps): ReactElement {
  useCover();
  const { message, picture } = shown;
  const friendName = useChatState((state) => state.friends.get(thread.friendId)?.name ?? "");
  const show = (to: ThreadPicture | undefined) => to && onShow(to.key);
  const zoom = useZoom(shown.key, (direction) => show(direction === readingDirection() ? next : previous));
  const owner = message.isMine ? "you" : friendName;

  const showPrevious = () => show(previous);
  const showNext = () => show(next);
  const zoomIn = () => zoom.zoom(ZOOM_STEP);
  const zoomOut = () => zoom.zoom(1 / ZOOM_STEP);
  useKeys(
    new Map([
      ["ArrowLeft", readingDirection() === 1 ? showPrevious : showNext],
      ["ArrowRight", readingDirection() === 1 ? showNext : showPrevious],
      ["+", zoomIn],
      ["=", zoomIn],
      ["-", zoomOut],
      ["0", zoom.reset],
    ]),
  );

  return (
    <Dialog
      fills="stage"
      onClose={onClose}
      title={picture.name}
      actions={
        <>
          <IconButton icon={icons.minus} aria-label="Zoom out" disabled={!zoom.isZoomed} onClick={zoomOut} />
          <IconButton icon={icons.plus} aria-label="Zoom in" onClick={zoomIn} />
          {picture.id !== null && picture.fileKey === undefined ? <DownloadLink id={picture.id} /> : null}
        </>
      }
    >
      <div ref={zoom.stageRef} className={css.stage} {...zoom.handlers}>
        <div
          ref={zoom.pictureRef}
          className={zoom.isHeld ? `${css.picture} ${css.held}` : css.picture}
          style={{ transform: zoom.transform }}
        >
          <StagePicture key={shown.key} picture={picture} alt={`Photo from ${owner}: ${picture.name}`} />
        </div>
        {previous ? (
          <IconButton
            icon={icons.back}
            aria-label="Previous photo"
            className={`${css.turn} ${css.previous}`}
            onClick={showPrevious}
          />
        ) : null}
        {next ? (
          <IconButton
            icon={icons.forward}
            aria-label="Next photo"
            className={`${css.turn} ${css.next}`}
            onClick={showNext}
          />
        ) : null}
        <p className={css.caption} role="status">
          <span className={css.position}>Photo {position}</span>
          {message.text === "" ? null : (
            <span className={css.words} dir="auto">
              {plainText(message.text)}
            </span>
          )}
        </p>
      </div>
    </Dialog>
  );
}

/** Runs what belongs to a key, wherever the focus is in the dialog. */
function useKeys(actions: ReadonlyMap<string, () => void>): void {
  useWindowEvent("keydown", (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions.get(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  });
}
