import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { Spinner } from "@messageoh/ui-kit/feedback/Spinner";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { type ReactElement, type ReactNode, useRef } from "react";
import { MoreButton } from "../../requests/MoreButton.tsx";
import css from "./SharedList.module.css";
import { byMonth, type Shared } from "./sharedItems.ts";
import type { useShared } from "./useShared.ts";

export interface SharedListProps<Item> {
  list: ReturnType<typeof useShared<Item>>;
  /** Shown without any item. */
  empty: string;
  /** Whether the items are tiles of a grid. */
  isGrid?: boolean;
  children: (shared: Shared<Item>) => ReactNode;
}

/** Renders items by month, newest first, with a button for older ones. */
export function SharedList<Item>({ list, empty, isGrid = false, children }: SharedListProps<Item>): ReactElement {
  const { status, items, hasMore, retry, showOlder } = list;
  const end = useRef<HTMLDivElement>(null);
  return (
    <>
      {[...byMonth(items)].map(([name, shared]) => (
        <section key={name} aria-label={name}>
          <h3 className={css.month}>{name}</h3>
          <ul className={isGrid ? css.grid : css.rows}>
            {shared.map((one) => (
              <li key={one.key}>{children(one)}</li>
            ))}
          </ul>
        </section>
      ))}
      <div ref={end} tabIndex={-1} className={css.end}>
        <p role="status" className={css.note}>
          {status === "ready" && items.length === 0 && !hasMore ? empty : null}
          {status === "paused" ? "You are offline. The list will be loaded when the connection is back." : null}
        </p>
        {status === "loading" && !hasMore ? <Spinner /> : null}
        {status === "failed" ? <FormError>{GENERIC_ERROR}</FormError> : null}
        {status === "failed" || (hasMore && status !== "paused") ? (
          <MoreButton
            label="Show older"
            status={status}
            onMore={showOlder}
            onRetry={retry}
            onFocusLost={() => end.current?.focus()}
          />
        ) : null}
      </div>
    </>
  );
}
