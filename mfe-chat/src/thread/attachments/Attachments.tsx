import type { CSSProperties, ReactElement } from "react";
import { onDemand, useCode } from "../../requests/onDemand.ts";
import type { ShownAttachment } from "../../state/thread/shownAttachment.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import css from "./Attachments.module.css";
import { frameOf, shapeOf } from "./frames.ts";

export const viewsCode = onDemand(() => import("./views.ts"), "Attachments");

export interface AttachmentsProps {
  message: ThreadMessage;
  friendName: string;
  /** Whether Tab reaches the controls of this message. */
  isTabStop: boolean;
  /** @param picture index among the pictures of the message */
  onOpen: (picture: number, opener: Element) => void;
}

const heightOf = (file: ShownAttachment) => ({ "--h": shapeOf([file]).height }) as CSSProperties;

/** Renders the files of a message. Their space is there before their code is loaded. */
export function Attachments({ message, friendName, isTabStop, onOpen }: AttachmentsProps): ReactElement {
  const views = useCode(viewsCode, true);
  const { attachments = [] } = message;
  const pictures = attachments.filter(({ kind }) => kind === "picture");
  const { width, height } = shapeOf(pictures);
  const tabIndex = isTabStop ? 0 : -1;
  return (
    <div className={css.attachments}>
      {pictures.length > 0 ? (
        <div
          className={css.pictures}
          data-count={Math.min(4, pictures.length)}
          style={{ "--w": width, "--h": height } as CSSProperties}
        >
          {views ? (
            <views.Pictures
              pictures={pictures}
              owner={message.isMine ? "you" : friendName}
              tabIndex={tabIndex}
              onOpen={onOpen}
            />
          ) : null}
        </div>
      ) : null}
      {attachments.map((file, index) => {
        if (file.kind === "picture") return null;
        const frame = frameOf(file);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the files of a message keep their order; their ids change
          <div key={index} className={css[frame]} style={frame === "video" && file.width ? heightOf(file) : undefined}>
            {views ? <views.OtherFile message={message} index={index} frame={frame} tabIndex={tabIndex} /> : null}
          </div>
        );
      })}
    </div>
  );
}
