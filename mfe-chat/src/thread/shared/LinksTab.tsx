import { Icon } from "@messageoh/ui-kit/basics/Icon";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import type { ReactElement } from "react";
import { SharedList } from "./SharedList.tsx";
import css from "./SharedRow.module.css";
import { linksIn, type SharedTabProps, shortDay } from "./sharedItems.ts";
import { useLinked, useShared } from "./useShared.ts";

/** Renders the addresses of web pages in the messages of a thread. */
export function LinksTab({ thread, friendName, onShow }: SharedTabProps): ReactElement {
  const list = useShared(thread, "", useLinked(thread.threadId), linksIn);
  return (
    <SharedList list={list} empty="No links here yet.">
      {({ message, item }) => (
        <div className={css.row}>
          <a className={css.main} href={item} target="_blank" rel="noopener noreferrer">
            <span className={css.icon}>
              <Icon name="link" />
            </span>
            <span className={css.text}>
              <bdi className={css.name}>{item.replace(/^https?:\/\/(?:www\.)?/i, "")}</bdi>
              <span className={css.about}>
                {message.isMine ? "You" : friendName} · {shortDay(message.timestamp)}
              </span>
            </span>
          </a>
          <IconButton icon="forward" aria-label="Show message" onClick={() => onShow(message)} />
        </div>
      )}
    </SharedList>
  );
}
