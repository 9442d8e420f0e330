import { lengthLabel } from "@messageoh/contracts/attachments";
import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { type ReactElement, useCallback, useMemo, useState } from "react";
import { mediaUrl } from "../../links/mediaUrl.ts";
import type { ShownAttachment } from "../../state/thread/shownAttachment.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { ThumbHash } from "../attachments/ThumbHash.tsx";
import { Tile, TilePicture } from "../attachments/Tile.tsx";
import { PictureViewer } from "../menu/dialogs.ts";
import { picturesIn } from "../viewer/threadPictures.ts";
import css from "./MediaTab.module.css";
import { SharedList } from "./SharedList.tsx";
import { filesIn, isMedia, type Shared, type SharedTabProps, shortDay } from "./sharedItems.ts";
import { useAttached, useShared } from "./useShared.ts";

const mediaIn = (messages: readonly ThreadMessage[]) => filesIn(messages, isMedia);

/** Renders the pictures and videos of a thread. A picture opens the viewer, and a video its message. */
export function MediaTab({ thread, friendName, onShow }: SharedTabProps): ReactElement {
  const list = useShared(thread, "", useAttached(thread.threadId), mediaIn);
  const pictures = useMemo(() => picturesIn(list.messages.toReversed()), [list.messages]);
  const [open, setOpen] = useState<{ messageKey: string; picture: number } | null>(null);
  const close = useCallback(() => setOpen(null), []);

  function handleOpen({ message, item }: Shared<ShownAttachment>): void {
    const ofMessage = message.attachments?.filter(({ kind }) => kind === "picture") ?? [];
    if (item.kind === "video") onShow(message);
    else setOpen({ messageKey: message.key, picture: ofMessage.indexOf(item) });
  }

  return (
    <>
      <SharedList list={list} isGrid empty="No photos or videos here yet.">
        {(shared) => (
          <SharedTile
            shared={shared}
            sender={shared.message.isMine ? "you" : friendName}
            onOpen={() => handleOpen(shared)}
          />
        )}
      </SharedList>
      {open ? <PictureViewer threadId={thread.threadId} {...open} pictures={pictures} onClose={close} /> : null}
    </>
  );
}

interface SharedTileProps {
  shared: Shared<ShownAttachment>;
  sender: string;
  onOpen: () => void;
}

function SharedTile({ shared: { message, item }, sender, onOpen }: SharedTileProps): ReactElement {
  const { id, kind, name, thumbhash, seconds } = item;
  const what = kind === "video" ? "Video" : "Photo";
  return (
    <Tile
      className={css.tile}
      label={`${what} from ${sender}, ${shortDay(message.timestamp)}: ${name}`}
      onOpen={onOpen}
    >
      {kind === "video" ? (
        <>
          {thumbhash ? <ThumbHash hash={thumbhash} /> : null}
          <span className={css.length}>
            <Icon icon={icons.play} size="1rem" />
            {seconds === undefined ? null : lengthLabel(seconds)}
          </span>
        </>
      ) : (
        <TilePicture src={mediaUrl(id ?? "", "thumb")} />
      )}
    </Tile>
  );
}
