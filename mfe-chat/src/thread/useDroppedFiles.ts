import { type DragEvent, useRef, useState } from "react";

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes("Files");

/**
 * Returns whether files are dragged over a view that takes them, and the handlers that do so. The shell refuses them
 * elsewhere. A view that takes none for a while still follows the pointer, which may leave it meanwhile.
 */
export function useDroppedFiles(isTaking: boolean, onFiles: (files: readonly File[]) => void) {
  const [isOver, setIsOver] = useState(false);
  /** Element that the pointer entered last: it enters the next one before it leaves this one, which may be gone. */
  const entered = useRef<EventTarget | null>(null);

  function take(event: DragEvent): void {
    event.preventDefault();
    // The shell must not refuse them.
    event.stopPropagation();
    event.dataTransfer.dropEffect = "copy";
  }

  function enter(target: EventTarget | null): void {
    entered.current = target;
    setIsOver(target !== null);
  }

  return {
    isOver: isOver && isTaking,
    handlers: {
      onDragEnter: (event: DragEvent) => hasFiles(event) && enter(event.nativeEvent.target),
      onDragLeave: (event: DragEvent) => event.nativeEvent.target === entered.current && enter(null),
      onDragOver: (event: DragEvent) => hasFiles(event) && isTaking && take(event),
      onDrop(event: DragEvent): void {
        if (!hasFiles(event)) return;
        enter(null);
        if (!isTaking) return;
        take(event);
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
