import * as icons from "@messageoh/ui-kit/basics/icons";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import type { ReactElement } from "react";
import { useMomentary } from "../../time/useMomentary.ts";
import { copyText } from "../../ui/copyText.ts";
import css from "./FormattedText.module.css";

const SHOWN_MS = 2_000;

/** Renders code of a message, and the button that copies it. */
export function CodeBlock({ code, isTabStop }: { code: string; isTabStop: boolean }): ReactElement {
  const [result, showResult] = useMomentary<string>(SHOWN_MS);
  return (
    <div className={css.block} dir="ltr">
      <pre className={css.pre}>
        <code>{code}</code>
      </pre>
      <IconButton
        icon={result === "Copied" ? icons.check : icons.copy}
        aria-label="Copy code"
        tabIndex={isTabStop ? 0 : -1}
        onClick={async () => showResult((await copyText(code)) ? "Copied" : "Not copied")}
      />
      <VisuallyHidden role="status">{result}</VisuallyHidden>
    </div>
  );
}
