import { AVATAR_GROUPS, AVATAR_IDS, type AvatarId, avatarName } from "@messageoh/contracts/avatars";
import { type KeyboardEvent, type ReactElement, useId, useRef, useState } from "react";
import { classNames } from "../basics/classNames.ts";
import { nextIndex } from "../basics/nextIndex.ts";
import { FormError } from "../fields/FormError.tsx";
import { Avatar } from "./Avatar.tsx";
import css from "./AvatarPicker.module.css";

export interface AvatarPickerProps {
  title: string;
  value: AvatarId | null;
  onChange: (id: AvatarId) => void;
  /** Shows the title and the divider in red because no avatar is chosen. */
  isMissing?: boolean;
  /** Error of the server, shown below the pictures. */
  error?: string | null;
  /** Heading level of the title. */
  headingLevel?: 2 | 3;
}

/** Renders all avatars in two groups as radio buttons: arrows, Home and End move the focus, Space and Enter choose. */
export function AvatarPicker({
  title,
  value,
  onChange,
  isMissing = false,
  error,
  headingLevel = 2,
}: AvatarPickerProps): ReactElement {
  const titleId = useId();
  const picker = useRef<HTMLDivElement>(null);
  const [focusedId, setFocusedId] = useState<AvatarId | null>(null);
  const tabStop = focusedId ?? value ?? AVATAR_IDS[0];
  const Heading = `h${headingLevel}` as const;

  function handleKey(event: KeyboardEvent, id: AvatarId): void {
    const index = nextIndex(event.key, AVATAR_IDS.indexOf(id), AVATAR_IDS.length);
    if (index === null) return;
    event.preventDefault();
    picker.current?.querySelectorAll<HTMLElement>("[role=radio]")[index]?.focus();
  }

  return (
    <div ref={picker} className={classNames(css.picker, isMissing && css.missing)}>
      <Heading id={titleId} className={css.title}>
        {title}
      </Heading>
      <hr className={css.divider} />
      <div
        role="radiogroup"
        aria-labelledby={titleId}
        aria-required="true"
        aria-invalid={isMissing || undefined}
        className={css.groups}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) setFocusedId(null);
        }}
      >
        {AVATAR_GROUPS.map((group) => (
          <div key={group[0]} className={css.group}>
            {group.map((id) => (
              // biome-ignore lint/a11y/useSemanticElements: a native radio button chooses on every arrow press
              <button
                key={id}
                type="button"
                role="radio"
                aria-checked={id === value}
                title={avatarName(id)}
                tabIndex={id === tabStop ? 0 : -1}
                className={css.choice}
                onClick={() => onChange(id)}
                onFocus={() => setFocusedId(id)}
                onKeyDown={(event) => handleKey(event, id)}
              >
                <Avatar avatarId={id} />
              </button>
            ))}
          </div>
        ))}
      </div>
      <FormError className={css.error}>{error}</FormError>
    </div>
  );
}
