import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { discover } from "./discovery.ts";

jest.mock("node:dns/promises", () => {
  const dns = jest.requireActual<typeof import("node:dns/promises")>("node:dns/promises");
  return { ...dns, lookup: jest.fn(dns.lookup) };
});

const lookUp = jest.mocked(lookup as (host: string, options: { all: true }) => Promise<LookupAddress[]>);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "discovery-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("a URL", () => {
  it.each([
    ["http://127.0.0.1:4002", "http://127.0.0.1:4002"],
    ["http://[::1]:4002/", "http://[::1]:4002"],
    ["http://10.0.0.7", "http://10.0.0.7"],
  ])("with an address (%s) is one instance", async (entry, found) => {
    expect(await discover([entry])).toEqual([found]);
  });

  it("with a host name is resolved by the system's resolver", async () => {
    expect(await discover(["http://localhost:4002"])).toEqual(["http://127.0.0.1:4002"]);
  });

  it("with a host name is one instance per address of one family, IPv4 if available", async () => {
    const addresses = [
      { address: "fd00::2", family: 6 },
      { address: "10.0.0.3", family: 4 },
      { address: "10.0.0.2", family: 4 },
    ];
    lookUp.mockResolvedValueOnce(addresses);
    expect(await discover(["http://svc-messages:4002"])).toEqual(["http://10.0.0.2:4002", "http://10.0.0.3:4002"]);
    lookUp.mockResolvedValueOnce([{ address: "fd00::2", family: 6 }]);
    expect(await discover(["http://svc-messages:4002"])).toEqual(["http://[fd00::2]:4002"]);
  });

  it("with an unknown host adds no instance and does not affect other URLs", async () => {
    expect(await discover(["http://no-such-host.invalid:4002", "http://127.0.0.1:4003"])).toEqual([
      "http://127.0.0.1:4003",
    ]);
  });

  it("that is listed twice counts once", async () => {
    expect(await discover(["http://127.0.0.1:4002", "http://localhost:4002"])).toEqual(["http://127.0.0.1:4002"]);
  });
});

describe("a processes.json", () => {
  const file = () => join(folder, "processes.json");
  const entry = () => pathToFileURL(file()).href;
  const write = (...processes: [name: string, port: number][]) =>
    writeFile(file(), JSON.stringify(processes.map(([name, port]) => ({ name, pid: 1, port }))));

  it("lists the svc-messages processes that run now", async () => {
    await write(["gateway", 8080], ["svc-messages", 4002], ["svc-realtime-1", 4003], ["svc-messages-2", 4004]);
    expect(await discover([entry()])).toEqual(["http://127.0.0.1:4002", "http://127.0.0.1:4004"]);
    await write(["gateway", 8080], ["svc-messages-2", 4004], ["svc-messages-3", 4005]);
    expect(await discover([entry()])).toEqual(["http://127.0.0.1:4004", "http://127.0.0.1:4005"]);
  });

  it.each([
    ["is missing", null],
    ["is incomplete", '[{"name":"svc-messages","po'],
    ["has another content", "{}"],
  ])("adds no instance while it %s", async (_, text) => {
    if (text !== null) await writeFile(file(), text);
    expect(await discover([entry(), "http://127.0.0.1:4009"])).toEqual(["http://127.0.0.1:4009"]);
  });
});
