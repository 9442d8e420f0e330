import { ApiError } from "@messageoh/contracts/client";
import { type Prepared, prepare as prepareFile } from "./prepare.ts";
import { unreadable } from "./refusals.ts";

/** Preparations, by file. A message that is sent uses the one that its composer began. */
const begun = new WeakMap<Blob, Promise<Prepared>>();

/**
 * Prepares a file; later calls share the result. A picture that cannot be prepared is sent as it is. Rejects with
 * ApiError if the file cannot be read.
 * @param prepare replaced by tests
 */
export async function prepareOnce(file: Blob, name: string, prepare = prepareFile): Promise<Prepared> {
  // It may be a folder, or be deleted by now.
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch((cause: unknown) => {
      throw new ApiError(422, unreadable(name), { cause });
    });
  const prepared =
    begun.get(file) ??
    prepare(file, name).catch((error: unknown): Prepared => {
      console.warn("A picture is sent as it is", error);
      return {};
    });
  begun.set(file, prepared);
  return prepared;
}
