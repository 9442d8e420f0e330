interface Layer {
  id: string;
  close: () => void;
}

/** What the history entry of a layer holds beside the router's state. */
interface LayerState {
  /** The layer that this entry was made for. */
  layer?: string;
  /** The layers that are open at this entry, that one included. */
  layers?: readonly string[];
}

/** What lies over the page and is closed by the browser's Back, the topmost last. */
const open: Layer[] = [];
let count = 0;
let isListening = false;

const here = (): LayerState => (history.state as LayerState | null) ?? {};

/**
 * Gives something that lies over the page a history entry of its own, so that Back closes it instead of leaving the page.
 * @param close called when Back is pressed
 * @returns the function to call when it was closed in another way; it takes the entry back
 */
export function openLayer(close: () => void): () => void {
  if (!isListening) window.addEventListener("popstate", handlePopState);
  isListening = true;
  count += 1;
  const layer = { id: `${Date.now()}-${count}`, close };
  open.push(layer);
  const state: LayerState = { ...here(), layer: layer.id, layers: open.map(({ id }) => id) };
  history.pushState(state, "");

  return () => {
    remove(layer);
    // A navigation of the same moment has made another entry, which stays.
    setTimeout(() => {
      if (here().layer === layer.id) history.back();
    });
  };
}

function handlePopState(): void {
  const { layer, layers = [] } = here();
  for (const shown of open.toReversed()) {
    if (layers.includes(shown.id)) continue;
    remove(shown);
    shown.close();
  }
  // The entry of a layer that was closed while another page lay over it.
  if (layer !== undefined && !open.some(({ id }) => id === layer)) history.back();
}

function remove(layer: Layer): void {
  const at = open.indexOf(layer);
  if (at >= 0) open.splice(at, 1);
}
