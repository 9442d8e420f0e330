import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { Spinner } from "@messageoh/ui-kit/feedback/Spinner";
import { type ReactElement, useEffect, useState } from "react";
import type { ChosenFile } from "../../outbox/chosenFile.ts";
import { fileSize } from "../../ui/fileSize.ts";
import css from "./Tray.module.css";

export interface TrayProps {
  files: readonly ChosenFile[];
  onRemove: (key: string) => void;
}

/** Renders the files that are sent with the next message. */
export function Tray({ files, onRemove }: TrayProps): ReactElement {
  return (
    <ul className={css.tray} aria-label="Files to send">
      {files.map(({ key, name, bytes, content, width, preparing, note }) => (
        <li key={key} className={css.file}>
          <span className={css.picture}>
            {preparing ? (
              <Spinner label={`Preparing ${name}`} />
            ) : width ? (
              <Thumbnail content={content} />
            ) : (
              <Icon icon={icons.file} />
            )}
          </span>
          <span className={css.text}>
            <bdi className={css.name} title={name}>
              {name}
            </bdi>
            <span className={css.size}>{fileSize(bytes)}</span>
            {note ? <span className={css.note}>{note}</span> : null}
          </span>
          <IconButton icon={icons.close} aria-label={`Remove ${name}`} onClick={() => onRemove(key)} />
        </li>
      ))}
    </ul>
  );
}

function Thumbnail({ content }: { content: Blob }): ReactElement | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const created = URL.createObjectURL(content);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [content]);
  return url === null ? null : <img src={url} className={css.thumbnail} alt="" decoding="async" />;
}
