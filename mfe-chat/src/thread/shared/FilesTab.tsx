import { isVoice } from "@messageoh/contracts/attachments";
import { Icon } from "@messageoh/ui-kit/basics/Icon";
import { TextField } from "@messageoh/ui-kit/fields/TextField";
import { type ReactElement, useCallback, useState } from "react";
import { mediaUrl } from "../../attachments/mediaUrl.ts";
import { useDebouncedSearch } from "../../search/useDebouncedSearch.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { fileSize } from "../attachments/fileSize.ts";
import { SharedList } from "./SharedList.tsx";
import css from "./SharedRow.module.css";
import { fileLabel, filesIn, isMedia, type SharedTabProps, shortDay } from "./sharedItems.ts";
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
        {({ message, item }) => (
          <div className={css.row}>
            <button
              type="button"
              className={css.main}
              aria-label={`Show message with ${fileLabel(item)}`}
              onClick={() => onShow(message)}
            >
              <span className={css.icon}>
                <Icon name={isVoice(item) ? "microphone" : item.kind === "picture" ? "picture" : "file"} />
              </span>
              <span className={css.text}>
                <bdi className={css.name}>{fileLabel(item)}</bdi>
                <span className={css.about}>
                  {fileSize(item.bytes)} · {message.isMine ? "You" : friendName} · {shortDay(message.timestamp)}
                </span>
              </span>
            </button>
            <a
              className={css.end}
              href={mediaUrl(item.id ?? "", "file")}
              download
              aria-label={`Download ${fileLabel(item)}`}
              title="Download"
            >
              <Icon name="download" />
            </a>
          </div>
        )}
      </SharedList>
    </>
  );
}
