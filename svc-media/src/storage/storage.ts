import type { Readable } from "node:stream";
import { unavailable } from "@messageoh/service-kit/errors";
import type { DataStore } from "@tus/server";

/**
 * Returns the key of a file in the storage. A picture has two further objects, `KEY.view` and `KEY.thumb`. The keys
 * begin with two characters of the id, so that a folder holds at most a 256th of all files.
 */
export const storageKey = (id: string): string => `${id.slice(0, 2)}/${id}`;

/** Where files are stored. Both backends behave in the same way; storage.test.ts runs against each. */
export interface Storage {
  /** The tus store of uploads. A finished upload is the object of its key. */
  uploads: DataStore;
  /** Parts that it can take at the same time. */
  partsMax: number;
  /** Resolves when files can be stored. Creates the folder or the bucket if it is missing. */
  prepare: () => Promise<void>;
  /** Resolves if the storage responds. */
  check: () => Promise<unknown>;
  /** Returns the bytes of an object, or the first `maxBytes` of them. */
  read: (key: string, maxBytes?: number) => Promise<Readable>;
  /** Runs `use` with the path of a local file that has the bytes of an object. */
  withFile: <T>(key: string, use: (path: string) => Promise<T>) => Promise<T>;
  /** Stores an object. A reader sees all of it or nothing. */
  put: (key: string, bytes: Buffer, type: string) => Promise<void>;
  /** Copies an object, unless the copy is there. */
  copy: (from: string, to: string) => Promise<void>;
  /** Deletes what was uploaded under a key, but not the pictures made from it. Ignores what is not there. */
  removeUpload: (key: string) => Promise<void>;
  /** Deletes everything of a key. Ignores what is not there. */
  removeAll: (key: string) => Promise<void>;
  /** Returns the internal location from which the gateway serves an object for a request with this method. */
  locate: (key: string, method: string) => Promise<string>;
}

/** Suffixes of the pictures that are made from an upload. */
export const PICTURE_SUFFIXES = [".view", ".thumb"] as const;

/** Returns the error of a call that the storage did not serve. */
export const storageFailed = (cause: unknown) =>
  unavailable("Files cannot be stored or loaded at the moment. Please try again later", cause);

/** Throws the error of a call that the storage did not serve. */
export const failStorage = (cause: unknown): never => {
  throw storageFailed(cause);
};

/** Returns whether a read failed because the object is not there. */
export function isNotStored(error: unknown): boolean {
  const { code, name } = Object((error as Error | undefined)?.cause) as { code?: string; name?: string };
  return code === "ENOENT" || name === "NoSuchKey";
}
