import { Avatar } from "@messageoh/ui-kit/avatars/Avatar";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import { type MouseEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { useLoaded } from "../requests/useLoaded.ts";
import { useChat, useChatState } from "../useChat.ts";
import { ChangeNameForm } from "./ChangeNameForm.tsx";
import { DeleteAccountForm } from "./DeleteAccountForm.tsx";
import { DownloadSection } from "./DownloadSection.tsx";
import css from "./MyAccountDialog.module.css";

const date = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", year: "numeric" });

/** Renders the user's profile and what the user can do with the account. */
export function MyAccountDialog({ onClose }: { onClose: () => void }): ReactElement {
  const user = useChatState((state) => state.me);
  /** The open form, if any. */
  const [form, setForm] = useState<"name" | "deletion" | null>(null);
  const [status, setStatus] = useState("");
  /** The button that has opened the form. */
  const opener = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (form === null) opener.current?.focus();
  }, [form]);

  const opens = (opened: typeof form) => (event: MouseEvent<HTMLButtonElement>) => {
    opener.current = event.currentTarget;
    setForm(opened);
  };

  return (
    <Dialog onClose={onClose} title="My account">
      <div className={css.profile}>
        <Avatar avatarId={user.avatar_id} />
        <div className={css.text}>
          <span className={css.name}>
            <bdi>{user.name}</bdi>
          </span>
          <MemberSince />
        </div>
      </div>
      {/* Stays behind a form, because its downloads go on. */}
      <div hidden={form !== null}>
        <section className={css.section}>
          <p className={css.explanation}>Friends see a new name at once. Log in with it from then on.</p>
          <Button data-autofocus variant="secondary" onClick={opens("name")}>
            Change name
          </Button>
        </section>
        <DownloadSection />
        <section className={css.section}>
          <p className={css.explanation}>Deletes your account for good. Download your data first.</p>
          <Button variant="danger" onClick={opens("deletion")}>
            Delete account
          </Button>
        </section>
      </div>
      {form === "name" ? (
        <ChangeNameForm
          onCancel={() => setForm(null)}
          onDone={(name) => {
            setForm(null);
            setStatus(`Your name is now ${name}`);
          }}
        />
      ) : form === "deletion" ? (
        <DeleteAccountForm onCancel={() => setForm(null)} />
      ) : null}
      <p role="status">{status}</p>
    </Dialog>
  );
}

/** Renders the date of the registration; it loads after the rest of the profile. */
function MemberSince(): ReactElement {
  const { value: profile, error } = useLoaded(useChat().api.profile);
  if (error) return <FormError>{error}</FormError>;
  return (
    <span className={css.since}>
      {profile ? `Member since ${date.format(new Date(profile.created_at))}` : "\u00a0"}
    </span>
  );
}
