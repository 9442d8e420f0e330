import * as icons from "@messageoh/ui-kit/basics/icons";
import { Button, type ButtonProps } from "@messageoh/ui-kit/controls/Button";
import type { ReactElement } from "react";

/** Renders the button that repeats what has failed. */
export const RetryButton = (props: Pick<ButtonProps, "variant" | "onClick">): ReactElement => (
  <Button {...props} icon={icons.retry}>
    Retry
  </Button>
);
