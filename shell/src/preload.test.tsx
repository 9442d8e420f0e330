import { API_BASE } from "@messageoh/contracts/client";

const release = (name: string, page: string, firstCalls?: Record<string, string[]>) => ({
  entry: `/${name}/r1/mf-manifest.json`,
  manifest: {
    metaData: { remoteEntry: { name: "remoteEntry.1.js" }, firstCalls },
    exposes: [{ name: page, assets: { js: { sync: [`${page}.1.js`] }, css: { sync: [`${page}.1.css`] } } }],
  },
});

function inline(remote: string, pointer: object): void {
  const script = Object.assign(document.createElement("script"), { type: "application/json", id: `pointer-${remote}` });
  script.textContent = JSON.stringify(pointer);
  document.head.append(script);
}

/** Opens a path as a visitor or as the stored user; returns the files that are preloaded. */
function open(path: string, userId?: string): string[] {
  history.replaceState(null, "", path);
  if (userId) localStorage.setItem("current-user-id", userId);
  inline("mfe_auth", release("mfe-auth", "LoginPage"));
  inline(
    "mfe_chat",
    release("mfe-chat", "ChatPage", { ChatPage: ["/friends/:user_id", "/messages/:user_id?limit=1"] }),
  );
  jest.isolateModules(() => jest.requireActual("./preload.ts"));
  const links = [...document.querySelectorAll<HTMLLinkElement>("link[rel=preload]")];
  return links.map(({ href }) => new URL(href).pathname);
}

beforeEach(() => jest.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("no network")));
afterEach(() => {
  jest.restoreAllMocks();
  localStorage.clear();
  document.head.replaceChildren();
  globalThis.messageohEarlyCalls = undefined;
});

it("preloads the page that a visitor has requested, without calls", () => {
  expect(open("/login")).toEqual([
    "/mfe-auth/r1/remoteEntry.1.js",
    "/mfe-auth/r1/LoginPage.1.js",
    "/mfe-auth/r1/LoginPage.1.css",
  ]);
  expect(fetch).not.toHaveBeenCalled();
});

it("preloads nothing of a remote for a visitor of the landing page", () => {
  expect(open("/")).toEqual([]);
});

it.each(["/home", "/home/bob", "/login", "/"])(
  "preloads the chat of the stored user at %s and makes its first calls",
  (path) => {
    expect(open(path, "a/1")).toEqual([
      "/mfe-chat/r1/remoteEntry.1.js",
      "/mfe-chat/r1/ChatPage.1.js",
      "/mfe-chat/r1/ChatPage.1.css",
    ]);
    const calls = ["/users/a%2F1", "/friends/a%2F1", "/messages/a%2F1?limit=1"];
    const addresses = calls.map((call) => API_BASE + call);
    expect(jest.mocked(fetch).mock.calls.map(([address]) => address)).toEqual(addresses);
    expect([...(globalThis.messageohEarlyCalls?.keys() ?? [])]).toEqual(addresses);
  },
);
