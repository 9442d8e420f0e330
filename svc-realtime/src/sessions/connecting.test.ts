import { connectClient } from "../../testing/client.ts";
import { useTwoInstances } from "../../testing/twoInstances.ts";

const tier = useTwoInstances();

it("rejects a client without a valid session", async () => {
  await expect(tier.connect(tier.one, null)).rejects.toThrow("unauthorised");
  await expect(connectClient(tier.one.url, "forged")).rejects.toThrow("unauthorised");
});

it.each(["polling", "websocket"])(
  "accepts %s handshakes from its own origin and from clients without an origin only",
  async (transport) => {
    const from = (headers: object) =>
      tier.connect(tier.one, "ann", {
        transports: [transport],
        extraHeaders: { cookie: "messageoh_session=TOKEN-ann", ...headers },
      });
    await expect(from({ origin: "http://evil.example" })).rejects.toThrow();
    await expect(from({ origin: "null" })).rejects.toThrow();
    await expect(from({ "sec-fetch-site": "same-site" })).rejects.toThrow();
    await from({ origin: tier.one.url });
    await from({});
    expect(tier.one.realtime.io.sockets.sockets.size).toBe(2);
  },
);

it.each<[status: number, query: string]>([
  ...["", "sid", "sid=", "sid=&sid=", "sid=a&sid=", "x=?&sid="].map((query): [number, string] => [200, query]),
  ...["j=0", "x=?&j=0", "j", "j=", "%6a=0", "j=0&sid=", "sid=&j=0"].map((query): [number, string] => [403, query]),
  [400, "sid=a"],
])(
  "responds with %i to the query %j: JSONP is not allowed, and an empty connection id is none",
  async (status, query) => {
    const headers = { cookie: "messageoh_session=TOKEN-ann" };
    const response = await fetch(`${tier.one.url}/socket.io/?EIO=4&transport=polling&${query}`, { headers });
    expect(response.status).toBe(status);
  },
);

it("accepts polling only and WebSocket only, and puts the instance name into the session id", async () => {
  for (const transport of ["polling", "websocket"]) {
    const client = await tier.connect(tier.one, "ann", { transports: [transport] });
    expect(client.io.engine.id).toMatch(/^one\.[\w-]{20}$/);
  }
});
