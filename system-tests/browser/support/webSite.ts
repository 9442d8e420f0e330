import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { aPicture } from "./pictures.ts";

/** Title of the page of a {@link startWebSite}. */
export const PAGE_TITLE = "Herons of the north shore";

/** Starts a web site with one page, `/herons`, and its picture. It records who has asked for what. */
export async function startWebSite() {
  const visits: { path: string; userAgent: string }[] = [];
  const { buffer } = aPicture("heron.png", 600, 400);
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    visits.push({ path, userAgent: request.headers["user-agent"] ?? "" });
    if (path === "/heron.png") response.setHeader("content-type", "image/png").end(buffer);
    else if (path === "/herons")
      response
        .setHeader("content-type", "text/html")
        .end(`<title>${PAGE_TITLE}</title><meta property="og:image" content="/heron.png">`);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    page: `${url}/herons`,
    missing: `${url}/missing`,
    visits,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
