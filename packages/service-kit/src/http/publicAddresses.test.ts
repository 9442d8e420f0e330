import { createPublicAddresses, isPublicAddress } from "./publicAddresses.ts";

it.each([
  ["8.8.8.8", true],
  ["2001:4860:4860::8888", true],
  ["0.0.0.0", false],
  ["10.1.2.3", false],
  ["100.64.0.1", false],
  ["127.0.0.1", false],
  ["169.254.169.254", false],
  ["172.31.255.255", false],
  ["192.168.1.1", false],
  ["198.18.0.1", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:8.8.8.8", false],
  ["64:ff9b::a00:1", false],
  ["fe80::1", false],
  ["fc00::1", false],
  ["fd12:3456::1", false],
  ["ff02::1", false],
  ["2001:db8::1", false],
  ["2002:a00:1::1", false],
  ["not an address", false],
])("classifies the address %s as public: %s", (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

const HOSTS: Record<string, string[]> = {
  "push.example": ["8.8.8.8", "2001:4860:4860::8888"],
  "internal.example": ["10.0.0.5"],
  "mixed.example": ["8.8.8.8", "127.0.0.1"],
};
const addresses = createPublicAddresses({
  protocols: ["https:"],
  allowedHosts: ["relay.example:8443", "own.example"],
  resolve: async (host) => HOSTS[host] ?? [],
});

it.each([
  ["https://push.example/a", true],
  ["https://8.8.8.8/a", true],
  ["http://push.example/a", false],
  ["https://push.example:8443/a", false],
  ["https://user:secret@push.example/a", false],
  ["https://internal.example/a", false],
  ["https://mixed.example/a", false],
  ["https://unknown.example/a", false],
  ["https://localhost/a", false],
  ["https://127.0.0.1/a", false],
  ["https://127.1/a", false],
  ["https://0x7f000001/a", false],
  ["https://2130706433/a", false],
  ["https://[::1]/a", false],
  ["https://[::ffff:10.0.0.1]/a", false],
  ["https://relay.example:8443/a", true],
  ["https://relay.example/a", false],
  ["https://own.example:9000/a", true],
])("decides whether requests may be sent to %s: %s", async (address, isAllowed) => {
  expect(await addresses.isAllowed(address)).toBe(isAllowed);
});

describe("a connection", () => {
  const lookUp = (host: string) =>
    new Promise((resolve, reject) =>
      addresses.lookUp(host, { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
    );

  it("opens to a public address of the host", async () => {
    expect(await lookUp("push.example")).toEqual([{ address: "8.8.8.8", family: 4 }]);
  });

  it("fails if the name server responds with an internal address by now", async () => {
    HOSTS["rebinding.example"] = ["8.8.8.8"];
    expect(await addresses.isAllowed("https://rebinding.example/a")).toBe(true);
    HOSTS["rebinding.example"] = ["127.0.0.1"];
    await expect(lookUp("rebinding.example")).rejects.toThrow("rebinding.example has no public address");
  });
});

it("allows the schemes that it was created with", async () => {
  const both = createPublicAddresses({
    protocols: ["http:", "https:"],
    allowedHosts: [],
    resolve: async () => ["8.8.8.8"],
  });
  const allowed = ["http://a.example/", "https://a.example/", "ftp://a.example/", "http://a.example:8080/"];
  expect(await Promise.all(allowed.map(both.isAllowed))).toEqual([true, true, false, false]);
});

it("fails the connection if the name server does", async () => {
  const broken = createPublicAddresses({
    ...{ protocols: ["https:"], allowedHosts: [] },
    resolve: () => Promise.reject(new Error("SERVFAIL")),
  });
  const found = new Promise((resolve, reject) =>
    broken.lookUp("a.example", { all: true }, (error, list) => (error ? reject(error) : resolve(list))),
  );
  await expect(found).rejects.toThrow("a.example has no public address");
});
