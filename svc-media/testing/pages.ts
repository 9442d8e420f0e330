import type { ServerResponse } from "node:http";
import { serveForTest } from "@messageoh/service-kit/testing/http";

/** Answers a request for a path. */
export type Page = (response: ServerResponse) => void;

/** Returns a page with this head. */
export const html =
  (head: string, type = "text/html; charset=utf-8"): Page =>
  (response) =>
    void response
      .setHeader("content-type", type)
      .end(`<!doctype html><html><head>${head}</head><body>text</body></html>`);

export const redirect =
  (location: string): Page =>
  (response) =>
    void response.writeHead(302, { location }).end();

/** Starts a web server on the loopback address. `pages` has its pages by path; others get 404. */
export async function startPages(pages: Record<string, Page> = {}) {
  const paths: string[] = [];
  const headers: Record<string, unknown>[] = [];
  const {
    url: address,
    server,
    close,
  } = await serveForTest((request, response) => {
    const path = request.url ?? "";
    paths.push(path);
    headers.push(request.headers);
    const page = pages[path];
    if (page) page(response);
    else response.writeHead(404).end();
  });
  const port = Number(new URL(address).port);
  return {
    pages,
    /** Paths and headers of the requests. */
    paths,
    headers,
    port,
    host: `localhost:${port}`,
    url: `http://localhost:${port}`,
    async close() {
      server.closeAllConnections();
      await close();
    },
  };
}
