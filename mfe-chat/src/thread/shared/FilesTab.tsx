import { isVoice } from "@messageoh/contracts/attachments";
import { Icon } from "@messageoh/ui-kit/basics/Icon";
import { TextField } from "@messageoh/ui-kit/fields/TextField";
import { type ReactElement, useCallback, useState } from "react";
import { mediaUrl } from "../../attachments/mediaUrl.ts";
import { useDebouncedSearch } from "../../search/useDebouncedSearch.ts";
import type { ShownAttachment } from "../../state/thread/shownAttachment.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { FileName } from "../attachments/FileName.tsx";
import { fileSize } from "../attachments/fileSize.ts";
import { SharedList } from "./SharedList.tsx";
import css from "./SharedRow.module.css";
import { fileLabel, filesIn, isMedia, type Shared, type SharedTabProps, shortDay } from "./sharedItems.ts";
import { useAttached, useShared } from "./useShared.ts";

/** Renders the files of a thread, or with a text all attachments with such a name. */
export function FilesTab({ thread, friendName, onShow }: SharedTabProps): ReactElement {
  const [text, setText] = useState("");
  const settled = useDebouncedSearch(text);
  const sought = text.trim() === "" ? "" : settled;
  const wanted = useCallback(
    (messages: readonly ThreadMessage[]) =>
      filesIn(messages, (file) =>
        sought === "" ? !isMedia(file) : file.name.toLowerCase().includes(sought.toLowerCase()),
      ),
    [sought],
  );
  const list = useShared(thread, sought, useAttached(thread.threadId), wanted);
  return (
    <>
      <div className={css.search}>
        <TextField
          label="Search by file name"
          isLabelHidden
          placeholder="Search by file name"
          icon="search"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <SharedList list={list} empty={sought === "" ? "No files here yet." : `No file called '${sought}'`}>
        {(shared) => <FileRow shared={shared} sender={shared.message.isMine ? "You" : friendName} onShow={onShow} />}
      </SharedList>
    </>
  );
}

interface FileRowProps {
  shared: Shared<ShownAttachment>;
  sender: string;
  onShow: (message: ThreadMessage) => void;
}

function FileRow({ shared: { message, item }, sender, onShow }: FileRowProps): ReactElement {
  const name = fileLabel(item);
  const about = `${fileSize(item.bytes)} · ${sender} · ${shortDay(message.timestamp)}`;
  return (
    <div className={css.row}>
      <button
        type="button"
        className={css.main}
        title="Show message"
        aria-label={`${name} ${about}`}
        onClick={() => onShow(message)}
      >
        <span className={css.icon}>
          <Icon name={isVoice(item) ? "microphone" : isMedia(item) ? "picture" : "file"} />
        </span>
        <span className={css.text}>
          <FileName name={name} />
          <span className={css.about}>{about}</span>
        </span>
      </button>
      <a
        className={css.end}
        href={mediaUrl(item.id ?? "", "file")}
        download
        aria-label={`Download ${name}`}
        title="Download"
      >
        <Icon name="download" />
      </a>
    </div>
  );
}
