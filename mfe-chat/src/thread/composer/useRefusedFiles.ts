import { type ClipboardEvent, useEffect } from "react";
import { useMomentary } from "../../time/useMomentary.ts";

const REFUSAL = "Files cannot be sent. A message has only text.";
const SHOWN_MS = 5000;

/**
 * Returns a sentence for some time after files were pasted, or dragged over the page, and the handler of `paste`. The
 * shell refuses the drop itself, so no `drop` event follows.
 */
export function useRefusedFiles(): [refusal: string | null, handlePaste: (event: ClipboardEvent) => void] {
  const [refusal, show] = useMomentary<string>(SHOWN_MS);

  useEffect(() => {
    const handleDrag = ({ dataTransfer }: DragEvent) => {
      if (dataTransfer?.types.includes("Files")) show(REFUSAL);
    };
    window.addEventListener("dragenter", handleDrag);
    return () => window.removeEventListener("dragenter", handleDrag);
  }, [show]);

  return [
    refusal,
    (event) => {
      const { types } = event.clipboardData;
      // A copied table or picture of an office program has a text too, which is pasted.
      if (!types.includes("Files") || types.includes("text/plain")) return;
      event.preventDefault();
      show(REFUSAL);
    },
  ];
}
