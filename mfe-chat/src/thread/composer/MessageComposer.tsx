import type { LinkPreview } from "@messageoh/contracts/linkPreviews";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { type ClipboardEvent, type KeyboardEvent, type ReactElement, useEffect, useId, useRef, useState } from "react";
import { isComposing } from "../../keyboard/isComposing.ts";
import { onEscape } from "../../keyboard/onEscape.ts";
import type { ChosenFile } from "../../outbox/chosenFile.ts";
import { onDemand, useCode } from "../../requests/onDemand.ts";
import { viewOnDemand } from "../../requests/viewOnDemand.tsx";
import { useLinkPreviewsChoice } from "../../storage/useLinkPreviewsChoice.ts";
import { useChat, useChatState } from "../../useChat.ts";
import { mayContainLink } from "../text/mayContainLink.ts";
import { RecordButton } from "../voice/RecordButton.tsx";
import { AttachButton } from "./AttachButton.tsx";
import { ComposerBar } from "./ComposerBar.tsx";
import { composerState } from "./composerRules.ts";
import { EmojiButton } from "./EmojiButton.tsx";
import css from "./MessageComposer.module.css";
import { markOf, toggleMark } from "./marks.ts";
import { useComposerFocus } from "./useComposerFocus.ts";
import { useComposerText } from "./useComposerText.ts";

const NONE: readonly ChosenFile[] = [];
const previewCode = onDemand(() => import("../link-preview/ComposerPreview.tsx"), "Link previews");
export const trayCode = onDemand(() => import("./Tray.tsx"), "Chosen files");
/** The recorder of voice messages, which works without a network. */
export const Recorder = viewOnDemand(() => import("../voice/Recorder.tsx"), "Recorder");

export interface MessageComposerProps {
  threadId: string;
  friendName: string;
  /** Whether to focus the composer when the thread opens. */
  isFocusWanted: boolean;
  /** Increases to move the focus into the thread. */
  focusRequest: number;
}

/** Renders the input for messages. Typing renders only this component. Use the thread id as `key`. */
export function MessageComposer(props: MessageComposerProps): ReactElement {
  const { threadId, friendName, isFocusWanted, focusRequest } = props;
  const { send: sendMessage } = useChat().messages;
  const { edit, editLast, stopComposing } = useChat().changes;
  const { choose, remove, startRecording, stopRecording } = useChat().attachments;
  const files = useChatState((state) => state.chosen.get(threadId) ?? NONE);
  const tray = useCode(trayCode, files.length > 0);
  const { text, composing, edited, change, clear } = useComposerText(threadId);
  const [showsPreviews] = useLinkPreviewsChoice(useChatState((state) => state.me.id));
  const [preview, setPreview] = useState<LinkPreview | null>(null);
  const mayHavePreview = showsPreviews && !edited && files.length === 0 && mayContainLink(text);
  const linkPreview = useCode(previewCode, mayHavePreview);
  const isRecording = useChatState((state) => state.recordingIn === threadId);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const focus = useComposerFocus(textarea, { isFocusWanted, focusRequest, composing });
  const errorId = useId();
  const barId = useId();
  const { message, canSend, error, count } = composerState(
    text,
    edited ? edited.attachments !== undefined : files.length > 0,
  );

  // A recording ends when the thread is left.
  useEffect(() => stopRecording, [stopRecording]);

  function insert(emoji: string): void {
    const element = textarea.current;
    if (!element) return;
    element.setRangeText(emoji, element.selectionStart, element.selectionEnd, "end");
    change(element.value);
  }

  function handlePaste(event: ClipboardEvent): void {
    const { types, files: pasted } = event.clipboardData;
    // A copied table or picture of an office program has a text too, which is pasted.
    if (edited || !types.includes("Files") || types.includes("text/plain")) return;
    event.preventDefault();
    void choose(threadId, [...pasted]);
  }

  function chooseFiles(chosen: readonly File[]): void {
    void choose(threadId, chosen);
    focus();
  }

  function removeFile(key: string): void {
    remove(threadId, key);
    // Its button had the focus.
    focus();
  }

  function send(): void {
    if (!canSend) return;
    if (edited) edit(threadId, edited, message);
    else {
      sendMessage(threadId, message, preview ?? undefined);
      clear();
    }
    focus();
  }

  function handleKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const mark = markOf(event.nativeEvent);
    if (mark && textarea.current) {
      event.preventDefault();
      toggleMark(textarea.current, mark);
    } else if (event.key === "ArrowUp" && text === "" && !composing) {
      if (editLast(threadId)) event.preventDefault();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  }

  function cancel(): void {
    stopComposing(threadId);
    focus();
  }

  return (
    <form
      className={css.composer}
      onKeyDown={composing ? onEscape(cancel) : undefined}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <FormError id={errorId} className={css.error}>
        {error}
      </FormError>
      {composing ? (
        <ComposerBar threadId={threadId} friendName={friendName} composing={composing} id={barId} onCancel={cancel} />
      ) : null}
      {linkPreview ? (
        <linkPreview.ComposerPreview threadId={threadId} text={text} onChange={setPreview} onRemoved={focus} />
      ) : null}
      {tray && !edited ? <tray.Tray files={files} onRemove={removeFile} /> : null}
      <div className={css.bar} inert={isRecording}>
        {edited ? null : <AttachButton onFiles={chooseFiles} />}
        <div className={css.field} data-text={text}>
          <textarea
            ref={textarea}
            rows={1}
            className={css.input}
            aria-label="Message..."
            placeholder="Message..."
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? errorId : composing ? barId : undefined}
            autoComplete="off"
            enterKeyHint="send"
            dir="auto"
            value={text}
            onChange={(event) => change(event.target.value)}
            onKeyDown={handleKeyDown}
            onPaste={handlePaste}
          />
          {count ? <span className={error ? `${css.count} ${css.tooLong}` : css.count}>{count}</span> : null}
          {text === "" && files.length === 0 && !edited ? (
            <RecordButton isRecording={isRecording} onStart={() => startRecording(threadId)} />
          ) : null}
          <EmojiButton onChoose={insert} onDone={focus} />
        </div>
        <IconButton
          type="submit"
          icon={edited ? icons.check : icons.send}
          aria-label={edited ? "Save" : "Send"}
          tone={canSend ? "accent" : "plain"}
          className={css.send}
          // Keeps the focus, and with it a phone's keyboard, in the text area.
          onPointerDown={(event) => event.preventDefault()}
        />
      </div>
      {isRecording ? <Recorder threadId={threadId} onClose={stopRecording} /> : null}
    </form>
  );
}
