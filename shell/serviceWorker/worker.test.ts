import { installServiceWorkerScope, pageOf } from "../testing/serviceWorkerScope.ts";

const worker = installServiceWorkerScope();
const file = () => new Response("", { headers: { "content-type": "text/javascript" } });

beforeAll(() => {
  // Not imported, because the types of a service worker contradict those of a page.
  jest.requireActual("./worker.ts");
});

describe("service worker", () => {
  it("opens the stored page while the server is away, although an earlier release enabled navigation preload", async () => {
    await worker.activate();
    worker.network.respond = async (path) => (path === "/home" ? pageOf("1") : file());
    await worker.navigate("/home");
    await worker.loaded("page", ["/mfe-chat/1/main.js"]);
    worker.network.respond = async () => Response.error();
    expect(await (await worker.navigate("/home"))?.text()).toContain("/mfe-chat/1/");
  });

  it("stores a page with its files if two tabs load different releases at the same time", async () => {
    const slow = Promise.withResolvers<void>();
    const release = { current: "1" };
    worker.network.respond = async (path) => {
      if (path === "/home") return pageOf(release.current);
      if (path.endsWith("/slow.js")) await slow.promise;
      return file();
    };
    await worker.navigate("/home", "old tab");
    release.current = "2";
    await worker.navigate("/home", "new tab");
    const both = [
      worker.loaded("old tab", ["/mfe-chat/1/main.js", "/mfe-chat/1/slow.js"]),
      worker.loaded("new tab", ["/mfe-chat/2/main.js"]),
    ];
    await new Promise((resolve) => setTimeout(resolve, 50));
    slow.resolve();
    await Promise.all(both);

    worker.network.respond = async () => Response.error();
    const page = await (await worker.navigate("/home"))?.text();
    const [folder = ""] = /\/mfe-chat\/\d\//.exec(page ?? "") ?? [];
    expect(worker.stored()).toContain(`${folder}main.js`);
  });

  it("opens a page whose files are stored if a page that loaded without it reports again after a release", async () => {
    const first = { isUncontrolled: true, pointers: ["/mfe-chat/1/"] };
    worker.network.respond = async (path) => (path === "/" ? pageOf("1") : file());
    await worker.loaded("first page", ["/mfe-chat/1/login.js"], first);
    worker.network.respond = async (path) => (path === "/" ? pageOf("2") : file());
    await worker.loaded("first page", ["/mfe-chat/1/login.js", "/mfe-chat/1/main.js"], first);

    worker.network.respond = async () => Response.error();
    expect(await (await worker.navigate("/home"))?.text()).toContain("/mfe-chat/1/");
  });
});
