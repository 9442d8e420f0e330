import { Button } from "@messageoh/ui-kit/controls/Button";
import { Spinner } from "@messageoh/ui-kit/feedback/Spinner";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import { type ReactElement, useState } from "react";
import { inviteLink } from "../links/inviteLink.ts";
import { RetryButton } from "../requests/RetryButton.tsx";
import { useLoaded } from "../requests/useLoaded.ts";
import { copyText } from "../ui/copyText.ts";
import { useChat } from "../useChat.ts";
import { QrCode } from "./QrCode.tsx";
import css from "./ShareLinkDialog.module.css";

/** Renders the link with which others add the user, and its QR code. */
export function ShareLinkDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { invite, renewInvite } = useChat().api;
  const { value: token, setValue: setToken, error, retry, changing, change } = useLoaded(invite);
  const [status, setStatus] = useState("");
  const link = token === null ? null : inviteLink(token, location.origin);

  async function handleRenew(): Promise<void> {
    if (await change("renew", async () => setToken(await renewInvite()))) setStatus("The old link no longer works");
  }

  return (
    <Dialog
      onClose={onClose}
      title="Share my link"
      footer={
        link === null ? (
          error === null ? null : (
            <RetryButton onClick={retry} />
          )
        ) : (
          <>
            <Button variant="secondary" isBusy={changing !== null} onClick={() => void handleRenew()}>
              New link
            </Button>
            <Button
              data-autofocus
              onClick={async () => setStatus((await copyText(link)) ? "Link copied" : "Could not be copied")}
            >
              Copy link
            </Button>
          </>
        )
      }
    >
      <p className={css.text}>Anyone who opens this link or scans the code can add you.</p>
      {link !== null ? (
        <>
          <QrCode text={link} label="QR code of your link" />
          <p className={css.link} dir="ltr">
            {link}
          </p>
        </>
      ) : error === null ? (
        <Spinner />
      ) : null}
      <p className={css.status} role="status">
        {status}
      </p>
      <FormError>{error}</FormError>
    </Dialog>
  );
}
