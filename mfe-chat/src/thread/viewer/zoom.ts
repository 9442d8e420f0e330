/** How a picture lies on the stage: its scale and the offset of its centre in px. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
export const SCALE_MAX = 6;
export const ZOOM_STEP = 1.5;
/** Scale after a double click. */
export const CLOSE_UP = 2.5;

interface Size {
  width: number;
  height: number;
}

/** Returns a view in which the picture covers the stage as far as it can. */
function within({ scale, x, y }: View, stage: Size, picture: Size): View {
  const limit = (value: number, outer: number, inner: number) => {
    const most = Math.max(0, (inner * scale - outer) / 2);
    return most === 0 ? 0 : Math.min(most, Math.max(-most, value));
  };
  return { scale, x: limit(x, stage.width, picture.width), y: limit(y, stage.height, picture.height) };
}

/**
 * Returns the view after a zoom that keeps a point of the picture in its place.
 * @param at the point, from the centre of the stage in px
 */
export function zoomed(view: View, factor: number, at: { x: number; y: number }, stage: Size, picture: Size): View {
  const scale = Math.min(SCALE_MAX, Math.max(1, view.scale * factor));
  const ratio = scale / view.scale;
  return within({ scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio }, stage, picture);
}

/** Returns the view after the picture was moved. */
export const moved = (view: View, by: { x: number; y: number }, stage: Size, picture: Size): View =>
  within({ ...view, x: view.x + by.x, y: view.y + by.y }, stage, picture);
