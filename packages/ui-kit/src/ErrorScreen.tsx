import type { ReactElement } from "react";
import sadRabbit from "./art/sad-rabbit.svg";
import { Button } from "./Button.tsx";
import css from "./ErrorScreen.module.css";

export interface ErrorScreenProps {
  text?: string;
  onRetry: () => void;
  /** True while a retry is under way. */
  isBusy?: boolean;
}

/** Fills the window when a page cannot be shown, with a way to try again. */
export function ErrorScreen({
  text = "Something went wrong with your request",
  onRetry,
  isBusy = false,
}: ErrorScreenProps): ReactElement {
  return (
    <div className={css.screen}>
      <img className={css.art} src={sadRabbit} alt="" />
      <p role="alert" className={css.text}>
        {text}
      </p>
      <Button icon="retry" isBusy={isBusy} onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
