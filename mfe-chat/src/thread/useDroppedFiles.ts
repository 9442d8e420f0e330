import { type DragEvent, useRef, useState } from "react";

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes("Files");

/**
 * Returns whether files are dragged over a view that takes them, and the handlers that do so. The shell refuses them
 * elsewhere. A view that takes none for a while still follows the pointer, which may leave it meanwhile.
 */
export function useDroppedFiles(isTaking: boolean, onFiles: (files: readonly File[]) => void) {
  const [isOver, setIsOver] = useState(false);
  /** Elements of the view that the pointer has entered and not left. */
  const entered = useRef(0);

  function take(event: DragEvent): void {
    event.preventDefault();
    // The shell must not refuse them.
    event.stopPropagation();
    event.dataTransfer.dropEffect = "copy";
  }

  function enter(by: 1 | -1): void {
    entered.current = Math.max(0, entered.current + by);
    setIsOver(entered.current > 0);
  }

  return {
    isOver: isOver && isTaking,
    handlers: {
      onDragEnter: (event: DragEvent) => hasFiles(event) && enter(1),
      onDragLeave: (event: DragEvent) => hasFiles(event) && enter(-1),
      onDragOver: (event: DragEvent) => hasFiles(event) && isTaking && take(event),
      onDrop(event: DragEvent): void {
        if (!hasFiles(event)) return;
        entered.current = 0;
        setIsOver(false);
        if (!isTaking) return;
        take(event);
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
