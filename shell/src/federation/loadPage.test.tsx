import { loadRemote, registerRemotes } from "@module-federation/enhanced/runtime";
import { loadPage } from "./loadPage.ts";
import { findRelease } from "./pointer.ts";

jest.mock("@module-federation/enhanced/runtime", () => ({ loadRemote: jest.fn(), registerRemotes: jest.fn() }));
jest.mock("./pointer.ts", () => ({ findRelease: jest.fn() }));
jest.mock("@messageoh/contracts/incompatibilities", () => ({ findIncompatibilities: () => [] }));

const Page = () => null;
const load = jest.mocked(loadRemote);

describe("two loads of a page at the same time", () => {
  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const release = { release: "1.0.0", entry: "http://localhost/mfe-chat/1.0.0/remoteEntry.js" };
    jest
      .mocked(findRelease)
      .mockResolvedValue({ ...release, contract: { exposes: ["ChatPage"], pageProps: 1, react: "19.0.0" } });
  });
  afterEach(() => jest.useRealTimers());

  it("are one, also while it is retried", async () => {
    load.mockRejectedValue(new Error("Loading CSS chunk 1 failed"));
    const both = Promise.allSettled([loadPage("mfe_chat/ChatPage"), loadPage("mfe_chat/ChatPage")]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(load).toHaveBeenCalledTimes(2);
    expect(jest.mocked(registerRemotes)).toHaveBeenCalledTimes(2);
  });

  it("are followed by a new one after a failure", async () => {
    load.mockRejectedValue(new Error("Loading CSS chunk 1 failed"));
    const first = loadPage("mfe_chat/ChatPage").catch(() => "failed");
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await first).toBe("failed");
    load.mockResolvedValue({ default: Page });
    expect(await loadPage("mfe_chat/ChatPage", true)).toBe(Page);
  });
});
