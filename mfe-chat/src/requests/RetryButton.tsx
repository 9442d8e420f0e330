import * as icons from "@messageoh/ui-kit/basics/icons";
import { Button, type ButtonProps } from "@messageoh/ui-kit/controls/Button";
import type { ReactElement } from "react";
import { useFocusLost } from "../keyboard/useFocusLost.ts";

export interface RetryButtonProps extends Pick<ButtonProps, "variant" | "onClick"> {
  /** Called when the button disappears with the focus. By default, the list or the dialog around it gets the focus. */
  onFocusLost?: () => void;
}

/** Renders the button that repeats what has failed. */
export function RetryButton({ onFocusLost, ...props }: RetryButtonProps): ReactElement {
  return (
    <Button ref={useFocusLost(onFocusLost)} {...props} icon={icons.retry}>
      Retry
    </Button>
  );
}
