interface Layer {
  id: string;
  close: () => void;
  hasEntry: boolean;
}

/** The part of a history entry's state that belongs to a layer; the router's state stays beside it. */
interface LayerState {
  /** Id of the layer that created this entry. */
  layer?: string;
  /** Ids of the layers that are open at this entry, including `layer`. */
  layers?: readonly string[];
}

/** Open layers (dialogs and full-screen views that Back closes), the topmost last. */
const open: Layer[] = [];
let count = 0;
/** Id of the layer whose entry is being taken back. The browser does this later, and reports it by `popstate`. */
let leaving: string | undefined;

const here = (): LayerState => (history.state as LayerState | null) ?? {};

/**
 * Adds a history entry for a layer over the page, so that Back closes the layer instead of leaving the page.
 * @param close called when Back is pressed
 * @returns a function to call when the layer was closed in another way; it removes the history entry
 */
export function openLayer(close: () => void): () => void {
  count += 1;
  const layer: Layer = { id: `${Date.now()}-${count}`, close, hasEntry: false };
  open.push(layer);
  // An entry that is added while the browser goes back would be left too.
  if (leaving === undefined || here().layer !== leaving) addEntry(layer);

  return () => {
    remove(layer);
    // Keep an entry that a navigation added in the same task.
    setTimeout(() => {
      if (here().layer === layer.id) goBack();
    });
  };
}

function addEntry(layer: Layer): void {
  layer.hasEntry = true;
  const layers = open.filter(({ hasEntry }) => hasEntry).map(({ id }) => id);
  const state: LayerState = { ...here(), layer: layer.id, layers };
  history.pushState(state, "");
}

/** Takes the entry of a layer back, once. */
function goBack(): void {
  const { layer } = here();
  if (leaving === layer) return;
  leaving = layer;
  history.back();
}

function handlePopState(): void {
  leaving = undefined;
  const { layer, layers = [] } = here();
  for (const shown of open.toReversed()) {
    if (!shown.hasEntry || layers.includes(shown.id)) continue;
    remove(shown);
    shown.close();
  }
  // Skip the entry of a layer that was closed while another page was above it.
  if (layer !== undefined && !open.some(({ id }) => id === layer)) goBack();
  else for (const shown of open) if (!shown.hasEntry) addEntry(shown);
}

function remove(layer: Layer): void {
  const at = open.indexOf(layer);
  if (at >= 0) open.splice(at, 1);
}

window.addEventListener("popstate", handlePopState);
// A reload keeps the entry of a layer, but not the layer.
if (here().layer !== undefined) goBack();
