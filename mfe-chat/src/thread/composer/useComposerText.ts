import { useState } from "react";
import { composingOf } from "../../state/thread/composing.ts";
import { useChat, useChatState } from "../../useChat.ts";

/**
 * Returns the text of the composer of a thread, what it is for, and the functions that change it. The text is the draft
 * of a new message, or that of the open edit. Both last while the other one is shown.
 */
export function useComposerText(threadId: string) {
  const { draftOf, saveDraft, notifyTyping } = useChat().messages;
  const { textOf, keepTyped } = useChat().changes;
  const composing = useChatState(({ threads }) => {
    const thread = threads.get(threadId);
    return thread ? composingOf(thread) : null;
  });
  const draftNonce = useChatState((state) => state.threads.get(threadId)?.draftNonce ?? 0);
  const edited = composing?.kind === "edit" ? composing : null;
  // An edit goes on when its thread is opened again, and when the deletion of its message is taken back.
  const firstText = () => (edited ? textOf(threadId, edited) : draftOf(threadId));
  const [text, setText] = useState(firstText);
  /** What the text began with: the edited message or the draft. */
  const source = edited?.key ?? draftNonce;
  const [shownSource, setShownSource] = useState<string | number>(source);
  if (source !== shownSource) {
    setShownSource(source);
    setText(firstText);
  }

  function change(value: string): void {
    setText(value);
    if (edited) {
      keepTyped(threadId, edited, value);
      return;
    }
    saveDraft(threadId, value);
    if (value.trim() !== "") notifyTyping(threadId);
  }

  return { text, composing, edited, change, clear: () => setText("") };
}
