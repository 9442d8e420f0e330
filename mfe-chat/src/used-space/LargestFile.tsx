import { isDeleted } from "@messageoh/contracts/avatars";
import type { UsedSpace } from "@messageoh/contracts/media";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import type { ReactElement } from "react";
import { mediaUrl } from "../links/mediaUrl.ts";
import { FileName } from "../ui/FileName.tsx";
import { fileSize } from "../ui/fileSize.ts";
import { ItemRow } from "../ui/ItemRow.tsx";
import { useChat } from "../useChat.ts";
import css from "./StorageDialog.module.css";
import { useFriendOf } from "./useFriendOf.ts";

export interface LargestFileProps {
  file: UsedSpace["largest"][number];
  onDelete: () => void;
}

/** Renders a file, which leads to its message and can be deleted. */
export function LargestFile({ file, onDelete }: LargestFileProps): ReactElement {
  const { jumpToMessage } = useChat();
  const { thread_id, seq, attachment, sent_at } = file;
  const { id, kind, name, bytes } = attachment;
  const friend = useFriendOf(thread_id);
  const day = new Date(sent_at).toLocaleDateString("en", { month: "short", day: "numeric", year: "numeric" });

  return (
    <li className={css.item}>
      <ItemRow
        picture={
          kind === "picture" ? (
            <img className={css.picture} src={mediaUrl(id, "thumb")} alt="" loading="lazy" />
          ) : (
            icons.file
          )
        }
        name={<FileName name={name} />}
        about={`${fileSize(bytes)} · ${friend?.name ?? "A former friend"} · ${day}`}
        title={friend && "Show message"}
        onOpen={friend && (() => void jumpToMessage({ thread_id, seq }))}
        end={
          friend && !isDeleted(friend) ? (
            <IconButton icon={icons.trash} aria-label={`Delete ${name}`} title="Delete" onClick={onDelete} />
          ) : null
        }
      />
    </li>
  );
}
