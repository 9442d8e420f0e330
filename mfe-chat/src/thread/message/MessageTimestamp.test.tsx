import { renderToStaticMarkup } from "react-dom/server";
import { useTimeLabel } from "../../time/useTimeLabel.ts";
import { MessageTimestamp, useMessageStamp } from "./MessageTimestamp.tsx";

jest.mock("../../time/useTimeLabel.ts", () => ({ useTimeLabel: jest.fn(() => "a label") }));

const SENT = "2026-03-10T12:00:00.000Z";
const Timestamp = () => <MessageTimestamp timestamp={SENT} stamp={useMessageStamp(SENT)} />;

it("refreshes the time of a message until it is an hour old", () => {
  const html = renderToStaticMarkup(<Timestamp />);
  expect(html).toContain("a label");
  const [label, changesUntil] = jest.mocked(useTimeLabel).mock.calls[0] ?? [];
  expect(changesUntil).toBe(Date.parse("2026-03-10T13:00:00.000Z"));
  expect(label?.(Date.parse("2026-03-10T12:05:00.000Z"))).toBe("5 minutes ago");
});
