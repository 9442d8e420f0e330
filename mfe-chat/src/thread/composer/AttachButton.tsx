import * as icons from "@messageoh/ui-kit/basics/icons";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { type ReactElement, useRef } from "react";

/** Renders the button that opens the file chooser, which offers the camera on a phone. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon={icons.attach} aria-label="Attach" onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = "";
        }}
      />
    </>
  );
}
