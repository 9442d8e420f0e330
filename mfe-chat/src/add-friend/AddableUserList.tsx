import type { User } from "@messageoh/contracts/users";
import { Avatar } from "@messageoh/ui-kit/avatars/Avatar";
import { type ReactElement, useMemo, useRef } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { useRowFocus } from "../keyboard/useRowFocus.ts";
import scroll from "../scrolling/scroll.module.css";
import { useHeldWhilePressed } from "../scrolling/useHeldWhilePressed.ts";
import { whenEndNear } from "../scrolling/whenEndNear.ts";
import row from "../ui/row.module.css";

export interface AddableUserListProps {
  users: readonly User[];
  onChoose: (user: User) => void;
  /** Called when the list is scrolled near its end. */
  onEndNear: () => void;
}

/** Renders a virtualised list of users who can be added. */
export function AddableUserList({ users: found, onChoose, onEndNear }: AddableUserListProps): ReactElement {
  const [users, holding] = useHeldWhilePressed(found);
  const keys = useMemo(() => users.map((user) => user.id), [users]);
  const virtualizer = useRef<VirtualizerHandle>(null);
  const { listRef, tabStop, keptRows, handleKeyDown, handleFocus } = useRowFocus(keys, {
    scrollTo: (index) => virtualizer.current?.scrollToIndex(index, { align: "nearest" }),
  });

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows are the controls
    <div
      ref={listRef}
      className={scroll.area}
      {...holding}
      onKeyDown={handleKeyDown}
      onFocus={handleFocus}
      onScroll={whenEndNear(onEndNear)}
    >
      <Virtualizer ref={virtualizer} as="ul" item="li" data={users} keepMounted={keptRows}>
        {(user, index) => (
          <button
            key={user.id}
            type="button"
            data-row={user.id}
            className={row.row}
            tabIndex={index === tabStop ? 0 : -1}
            onClick={() => onChoose(user)}
          >
            <Avatar avatarId={user.avatar_id} alt="" />
            <span className={row.name} dir="auto">
              {user.name}
            </span>
          </button>
        )}
      </Virtualizer>
    </div>
  );
}
