import * as icons from "@messageoh/ui-kit/basics/icons";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import type { ReactElement } from "react";
import { ItemRow } from "../../ui/ItemRow.tsx";
import { SharedList } from "./SharedList.tsx";
import { linksIn, type SharedTabProps, shortDay } from "./sharedItems.ts";
import { useLinked, useShared } from "./useShared.ts";

/** Renders the links in the messages of a thread that contain "http". */
export function LinksTab({ thread, friendName, onShow }: SharedTabProps): ReactElement {
  const list = useShared(thread, "", useLinked(thread.threadId), linksIn);
  return (
    <SharedList list={list} empty="No links here yet.">
      {({ message, item }) => (
        <ItemRow
          picture={icons.link}
          name={<bdi>{item.replace(/^https?:\/\/(?:www\.)?/i, "")}</bdi>}
          about={`${message.isMine ? "You" : friendName} · ${shortDay(message.timestamp)}`}
          href={item}
          end={<IconButton icon={icons.forward} aria-label="Show message" onClick={() => onShow(message)} />}
        />
      )}
    </SharedList>
  );
}
