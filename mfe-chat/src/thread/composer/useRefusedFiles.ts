import { type ClipboardEvent, useEffect, useState } from "react";

const REFUSAL = "Files cannot be sent. A message has only text.";
const SHOWN_MS = 5000;

/**
 * Returns a sentence for some time after files were pasted, or dragged over the page, and the handler of `paste`. The
 * shell refuses the drop itself, so no `drop` event follows.
 */
export function useRefusedFiles(): [refusal: string | null, handlePaste: (event: ClipboardEvent) => void] {
  const [refusedAt, setRefusedAt] = useState<number | null>(null);

  useEffect(() => {
    const handleDrag = ({ dataTransfer }: DragEvent) => {
      if (dataTransfer?.types.includes("Files")) setRefusedAt(performance.now());
    };
    window.addEventListener("dragenter", handleDrag);
    return () => window.removeEventListener("dragenter", handleDrag);
  }, []);

  useEffect(() => {
    if (refusedAt === null) return;
    const timer = setTimeout(() => setRefusedAt(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [refusedAt]);

  return [
    refusedAt === null ? null : REFUSAL,
    (event) => {
      const { types } = event.clipboardData;
      // A copied table or picture of an office program has a text too, which is pasted.
      if (!types.includes("Files") || types.includes("text/plain")) return;
      event.preventDefault();
      setRefusedAt(performance.now());
    },
  ];
}
