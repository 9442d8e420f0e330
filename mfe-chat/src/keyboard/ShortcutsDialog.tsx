import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import type { ReactElement } from "react";
import css from "./ShortcutsDialog.module.css";
import { isMac } from "./useShortcuts.ts";

const [COMMAND, ALT] = isMac ? ["⌘", "⌥"] : ["Ctrl", "Alt"];

const GROUPS: readonly { title: string; shortcuts: readonly (readonly [what: string, ...keys: string[]])[] }[] = [
  {
    title: "Anywhere",
    shortcuts: [
      ["Search friends and messages", `${COMMAND} K`],
      ["Next or previous thread", `${ALT} ↓`, `${ALT} ↑`],
      ["Show this list", "?"],
    ],
  },
  {
    title: "In a thread",
    shortcuts: [
      ["Search in the thread", `${COMMAND} F`],
      ["Send the message", "Enter"],
      ["New line", "Shift Enter"],
      ["Edit your last message", "↑"],
      ["Bold", `${COMMAND} B`],
      ["Italic", `${COMMAND} I`],
      ["Strikethrough", `${COMMAND} Shift X`],
      ["Close the thread", "Esc"],
    ],
  },
  {
    title: "In a list",
    shortcuts: [
      ["Move", "↑", "↓"],
      ["First or last", "Home", "End"],
      ["Menu of a message", "Shift F10"],
    ],
  },
];

/** Renders the list of keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }): ReactElement {
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      {GROUPS.map(({ title, shortcuts }) => (
        <section key={title} className={css.group}>
          <h3 className={css.title}>{title}</h3>
          <dl>
            {shortcuts.map(([what, ...keys]) => (
              <div key={what} className={css.row}>
                <dt>{what}</dt>
                {keys.map((combination) => (
                  <dd key={combination} className={css.keys}>
                    {combination.split(" ").map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                ))}
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
