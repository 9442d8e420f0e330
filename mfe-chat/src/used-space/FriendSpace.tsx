import type { UsedSpace } from "@messageoh/contracts/media";
import { Avatar } from "@messageoh/ui-kit/avatars/Avatar";
import * as icons from "@messageoh/ui-kit/basics/icons";
import type { CSSProperties, ReactElement } from "react";
import { fileSize } from "../ui/fileSize.ts";
import { ItemRow } from "../ui/ItemRow.tsx";
import css from "./StorageDialog.module.css";
import { useFriendOf } from "./useFriendOf.ts";

export interface FriendSpaceProps {
  thread: UsedSpace["threads"][number];
  /** Bytes of all threads. */
  total: number;
}

/** Renders how much space the files for a friend take up. */
export function FriendSpace({ thread: { thread_id, bytes, files }, total }: FriendSpaceProps): ReactElement {
  const friend = useFriendOf(thread_id);
  return (
    <li className={css.item}>
      <ItemRow
        picture={friend ? <Avatar avatarId={friend.avatar_id} alt="" size="small" /> : icons.user}
        name={<bdi>{friend?.name ?? "A former friend"}</bdi>}
        about={
          <>
            {fileSize(bytes)} · {files === 1 ? "1 file" : `${files} files`}
            <span className={css.share} style={{ "--share": bytes / total } as CSSProperties} />
          </>
        }
      />
    </li>
  );
}
