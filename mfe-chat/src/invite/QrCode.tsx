import encodeQr from "qr";
import { type ReactElement, useMemo } from "react";
import css from "./QrCode.module.css";

/** Empty modules around the code, which scanners need. */
const BORDER = 4;

/** Renders a text as a QR code: dark on light in both themes, because not every scanner reads the inverse. */
export function QrCode({ text, label }: { text: string; label: string }): ReactElement {
  const rows = useMemo(() => encodeQr(text, "raw", { border: BORDER }), [text]);
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg className={css.code} viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label}>
      <path d={squares.join("")} shapeRendering="crispEdges" />
    </svg>
  );
}
