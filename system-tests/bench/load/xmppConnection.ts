import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { WebSocket } from "ws";
import { type Connection, type Meter, numbered, numberIn } from "../../client/wire.ts";

const FRAMING = "urn:ietf:params:xml:ns:xmpp-framing";
const STREAM_MANAGEMENT = "urn:xmpp:sm:3";
const OPEN = `<open xmlns="${FRAMING}" to="localhost" version="1.0"/>`;
const FRAME_CHARACTERS = 290;

/** Connects an XMPP client over a WebSocket (RFC 7395). Stream management (XEP-0198) acks its messages. */
export async function connectXmpp(url: string, user: string, partner: string, password: string): Promise<Connection> {
  let meter: Meter | undefined;
  let expected: { part: string; resolve: () => void } | undefined;
  const unacked: number[] = [];
  let ackedCount = 0;
  let received = 0;
  const onFrame = (frame: string): void => {
    if (frame.startsWith("<message")) {
      received += 1;
      meter?.delivered(numberIn(frame));
    } else if (frame.startsWith("<a ")) {
      const handled = Number(/h=['"](\d+)/.exec(frame)?.[1]);
      for (; ackedCount < handled; ackedCount += 1) meter?.acked(unacked.shift() as number);
    } else if (frame.startsWith("<r ")) {
      socket.send(`<a xmlns="${STREAM_MANAGEMENT}" h="${received}"/>`);
    } else if (frame.includes("<failure")) {
      throw new Error(`ejabberd: ${frame}`);
    } else if (expected && frame.includes(expected.part)) {
      expected.resolve();
    } else if (frame.startsWith("<presence") || frame.startsWith("<iq")) {
      received += 1;
    }
  };
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, "xmpp", { perMessageDeflate: false });
  socket.on("message", (data: Buffer) => onFrame(data.toString()));
  await once(socket, "open");
  /** Sends a frame and waits for one that contains `part`. */
  const exchange = async (frame: string, part: string): Promise<void> => {
    await new Promise<void>((resolve) => {
      expected = { part, resolve };
      socket.send(frame);
    });
    expected = undefined;
  };
  const credentials = Buffer.from(`\0${user}\0${password}`).toString("base64");
  await exchange(OPEN, "PLAIN");
  await exchange(`<auth xmlns="urn:ietf:params:xml:ns:xmpp-sasl" mechanism="PLAIN">${credentials}</auth>`, "<success");
  await exchange(OPEN, "xmpp-bind");
  await exchange(`<iq type="set" id="bind"><bind xmlns="urn:ietf:params:xml:ns:xmpp-bind"/></iq>`, "bind");
  await exchange(`<presence/>`, "<presence");
  received = 0;
  await exchange(`<enable xmlns="${STREAM_MANAGEMENT}"/>`, "<enabled");
  return {
    listen(to) {
      meter = to;
    },
    send(n) {
      unacked.push(n);
      const message = `<message type="chat" to="${partner}@localhost" id="${randomUUID()}"><body>${numbered(n)}`;
      socket.send(`${message.padEnd(FRAME_CHARACTERS, "x")}</body></message>`);
      socket.send(`<r xmlns="${STREAM_MANAGEMENT}"/>`);
    },
    close: () => socket.terminate(),
  };
}
