import type { ReactElement } from "react";
import sadRabbit from "../art/sad-rabbit.svg";
import * as icons from "../basics/icons.ts";
import { Button } from "../controls/Button.tsx";
import { IconButton } from "../controls/IconButton.tsx";
import { useWindowEvent } from "../hooks/useWindowEvent.ts";
import css from "./ErrorScreen.module.css";

export interface ErrorScreenProps {
  onRetry: () => void;
  /** Shows a close icon, for errors that leave the page usable. */
  onClose?: () => void;
}

/** Renders an error that fills the window. Retries on a click and when the browser goes online. */
export function ErrorScreen({ onRetry, onClose }: ErrorScreenProps): ReactElement {
  useWindowEvent("online", () => onRetry());

  return (
    <div className={css.screen}>
      {onClose ? <IconButton className={css.close} icon={icons.close} aria-label="Close" onClick={onClose} /> : null}
      <img className={css.art} src={sadRabbit} alt="" />
      <p role="alert" className={css.text}>
        Something went wrong with your request
      </p>
      <Button data-autofocus icon={icons.retry} onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
