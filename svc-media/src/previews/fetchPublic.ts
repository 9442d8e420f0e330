import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { PublicAddresses } from "@messageoh/service-kit/publicAddresses";

/** Redirects of one request. */
const REDIRECTS_MAX = 4;
/** Bytes of the headers of a response. */
const HEADERS_MAX_BYTES = 16_384;
const HEADERS = {
  // A compressed body could become any number of bytes.
  "accept-encoding": "identity",
  "accept-language": "en",
  "user-agent": "Mozilla/5.0 (compatible; Messageoh link preview)",
};

/** What the response to a request must be. */
export interface Wanted {
  /** Pattern of its media type. */
  type: RegExp;
  maxBytes: number;
  /** Whether the first bytes of a longer body are enough. Otherwise it is an error. */
  isHeadEnough?: boolean;
  /** Ends the request. */
  signal: AbortSignal;
}

interface Fetched {
  bytes: Buffer;
  /** The header Content-Type. */
  type: string;
  /** Address of the response, after redirects. */
  url: URL;
}

export type FetchPublic = (address: string, wanted: Wanted) => Promise<Fetched>;

/**
 * Returns a function that loads a public address. The guard is asked about each address, also about those of redirects,
 * and looks up each host. Nothing of a user is sent: no cookies, no referrer. Rejects with any failure, and with a
 * response that is not as wanted.
 */
export function createFetchPublic(addresses: PublicAddresses): FetchPublic {
  function request(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const { get } = url.protocol === "https:" ? https : http;
    return new Promise((resolve, reject) => {
      get(url, {
        agent: false,
        headers: HEADERS,
        lookup: addresses.lookUp,
        maxHeaderSize: HEADERS_MAX_BYTES,
        signal,
      })
        .on("response", resolve)
        .on("error", reject)
        // After 101 (Switching Protocols) neither a response nor an error follows.
        .on("close", () => reject(new Error("the connection ended without a response")));
    });
  }

  return async (address, { type: wantedType, maxBytes, isHeadEnough = false, signal }) => {
    let url = new URL(address);
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      if (!/^https?:$/.test(url.protocol) || !(await addresses.isAllowed(url.href)))
        throw new Error("the address is not public");
      const response = await request(url, signal);
      try {
        const { statusCode: status = 0, headers } = response;
        if (status >= 300 && status < 400 && headers.location !== undefined) {
          url = new URL(headers.location, url);
          continue;
        }
        const { "content-type": type = "", "content-encoding": encoding = "identity" } = headers;
        if (status !== 200) throw new Error(`the response has status ${status}`);
        if (encoding !== "identity" || !wantedType.test(type)) throw new Error("the response has another type");
        return { bytes: await read(response, maxBytes, isHeadEnough), type, url };
      } finally {
        response.destroy();
      }
    }
    throw new Error("too many redirects");
  };
}

async function read(response: IncomingMessage, maxBytes: number, isHeadEnough: boolean): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes <= maxBytes) continue;
    if (!isHeadEnough) throw new Error("the response is too large");
    break;
  }
  return Buffer.concat(parts).subarray(0, maxBytes);
}
