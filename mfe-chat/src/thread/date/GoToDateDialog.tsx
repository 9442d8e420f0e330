import { errorText } from "@messageoh/contracts/errorText";
import type { Message } from "@messageoh/contracts/messages";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { TextField } from "@messageoh/ui-kit/fields/TextField";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import { type FormEvent, type ReactElement, useId, useState } from "react";
import { useSubmit } from "../../requests/useSubmit.ts";
import { useChat } from "../../useChat.ts";
import { dayInSentence, dayKey } from "../days/dayHeading.ts";

const NO_MESSAGES = "There are no messages on this day or later.";
class NoMessages extends Error {}

export interface GoToDateDialogProps {
  threadId: string;
  onClose: () => void;
}

/** Renders the choice of a day, and goes to its first message or to the next later one. */
export function GoToDateDialog({ threadId, onClose }: GoToDateDialogProps): ReactElement {
  const { findFrom, jumpToMessage, showNotice } = useChat();
  const [day, setDay] = useState("");
  const { isBusy, error, setError, submit } = useSubmit((failure) =>
    failure instanceof NoMessages ? NO_MESSAGES : errorText(failure),
  );
  const formId = useId();

  async function find(midnight: Date): Promise<Message> {
    const message = await findFrom(threadId, midnight);
    if (!message) throw new NoMessages();
    return message;
  }

  async function goTo(midnight: Date): Promise<void> {
    const found = find(midnight);
    if (!(await submit(() => found))) return;
    const message = await found;
    if (!(await submit(() => jumpToMessage(message)))) return;
    const { timestamp } = message;
    if (dayKey(timestamp) !== day) {
      const next = dayInSentence(timestamp, Date.now());
      showNotice(threadId, `There are no messages on that day. The next ones are from ${next}.`);
    }
    onClose();
  }

  function handleSubmit(event: FormEvent): void {
    event.preventDefault();
    const midnight = new Date(`${day}T00:00`);
    if (Number.isNaN(midnight.getTime())) {
      setError("Please choose a date.");
      return;
    }
    void goTo(midnight);
  }

  return (
    <Dialog
      onClose={onClose}
      title="Go to date"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isBusy={isBusy}>
            Go
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={handleSubmit}>
        <TextField
          type="date"
          label="Date"
          data-autofocus
          max={dayKey(new Date().toISOString())}
          value={day}
          error={error}
          onChange={(event) => {
            setDay(event.target.value);
            setError(null);
          }}
        />
      </form>
    </Dialog>
  );
}
