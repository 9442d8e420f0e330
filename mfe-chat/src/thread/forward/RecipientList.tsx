import type { User } from "@messageoh/contracts/users";
import { Avatar } from "@messageoh/ui-kit/avatars/Avatar";
import { type ReactElement, useMemo, useRef } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { useRowFocus } from "../../keyboard/useRowFocus.ts";
import row from "../../ui/row.module.css";
import css from "./ForwardDialog.module.css";

/** Height of a row, from ForwardDialog.module.css. */
const ROW_PX = 56;

export interface RecipientListProps {
  friends: readonly User[];
  /** Ids of the chosen friends. */
  chosen: ReadonlySet<string>;
  /** No other friend can be chosen. */
  isFull: boolean;
  /** Id of the element that says why. */
  reasonId: string;
  onChoose: (friendId: string, isChosen: boolean) => void;
}

/** Renders a virtualised list of friends with check boxes, which is one Tab stop. */
export function RecipientList({ friends, chosen, isFull, reasonId, onChoose }: RecipientListProps): ReactElement {
  const keys = useMemo(() => friends.map(({ id }) => id), [friends]);
  const virtualizer = useRef<VirtualizerHandle>(null);
  const { listRef, tabStop, keptRows, handleKeyDown, handleFocus } = useRowFocus(keys, {
    scrollTo: (index) => virtualizer.current?.scrollToIndex(index, { align: "nearest" }),
  });

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows are the controls
    <div ref={listRef} className={css.list} onKeyDown={handleKeyDown} onFocus={handleFocus}>
      <Virtualizer ref={virtualizer} as="ul" item="li" data={friends} itemSize={ROW_PX} keepMounted={keptRows}>
        {({ id, name, avatar_id }, index) => {
          const isChosen = chosen.has(id);
          const isRefused = isFull && !isChosen;
          return (
            <label key={id} className={isRefused ? `${css.friend} ${css.refused}` : css.friend}>
              <Avatar avatarId={avatar_id} alt="" />
              <span className={row.name} dir="auto">
                {name}
              </span>
              <input
                type="checkbox"
                data-row={id}
                className={css.check}
                tabIndex={index === tabStop ? 0 : -1}
                checked={isChosen}
                // It keeps the focus and can say why.
                aria-disabled={isRefused || undefined}
                aria-describedby={isRefused ? reasonId : undefined}
                onChange={(event) => onChoose(id, event.target.checked)}
              />
            </label>
          );
        }}
      </Virtualizer>
    </div>
  );
}
