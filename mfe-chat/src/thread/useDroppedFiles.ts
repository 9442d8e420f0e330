import { type DragEvent, useRef, useState } from "react";

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes("Files");

/** Returns whether files are dragged over a view, and the handlers that take them. The shell refuses them elsewhere. */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void) {
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
    isOver,
    handlers: {
      onDragEnter: (event: DragEvent) => hasFiles(event) && enter(1),
      onDragLeave: (event: DragEvent) => hasFiles(event) && enter(-1),
      onDragOver: (event: DragEvent) => hasFiles(event) && take(event),
      onDrop(event: DragEvent): void {
        if (!hasFiles(event)) return;
        take(event);
        entered.current = 0;
        setIsOver(false);
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
