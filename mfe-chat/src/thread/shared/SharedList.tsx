import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { Spinner } from "@messageoh/ui-kit/feedback/Spinner";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import type { ReactElement, ReactNode } from "react";
import { RetryButton } from "../../requests/RetryButton.tsx";
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
      <div className={css.end}>
        <p role="status" className={css.note}>
          {status === "ready" && items.length === 0 && !hasMore ? empty : null}
          {status === "paused" ? "You are offline. The list will be loaded when the connection is back." : null}
        </p>
        {status === "loading" ? <Spinner /> : null}
        {status === "failed" ? (
          <>
            <FormError>{GENERIC_ERROR}</FormError>
            <RetryButton variant="secondary" onClick={retry} />
          </>
        ) : null}
        {status === "ready" && hasMore ? (
          <Button variant="secondary" onClick={showOlder}>
            Show older
          </Button>
        ) : null}
      </div>
    </>
  );
}
