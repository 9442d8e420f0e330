import { isVoice } from "@messageoh/contracts/attachments";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { type ReactElement, useCallback, useRef, useState } from "react";
import { SearchBox } from "../../search/SearchBox.tsx";
import { useDebouncedSearch } from "../../search/useDebouncedSearch.ts";
import type { ShownAttachment } from "../../state/thread/shownAttachment.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { FileName } from "../../ui/FileName.tsx";
import { fileSize } from "../../ui/fileSize.ts";
import { ItemRow } from "../../ui/ItemRow.tsx";
import { DownloadLink } from "../attachments/DownloadLink.tsx";
import { SharedList } from "./SharedList.tsx";
import { fileLabel, filesIn, isMedia, type Shared, type SharedTabProps, shortDay } from "./sharedItems.ts";
import { useAttached, useShared } from "./useShared.ts";

/** Renders the files of a thread, or with a text all attachments with such a name. */
export function FilesTab({ thread, friendName, onShow, onLeave }: SharedTabProps): ReactElement {
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
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
      <SearchBox inputRef={input} label="Search by file name" text={text} onTextChange={setText} onLeave={onLeave} />
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
  return (
    <ItemRow
      picture={isVoice(item) ? icons.microphone : isMedia(item) ? icons.picture : icons.file}
      name={<FileName name={name} />}
      about={`${fileSize(item.bytes)} · ${sender} · ${shortDay(message.timestamp)}`}
      title="Show message"
      onOpen={() => onShow(message)}
      end={<DownloadLink id={item.id ?? ""} name={name} />}
    />
  );
}
