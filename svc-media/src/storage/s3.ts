import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { UPLOAD_PART_BYTES } from "@messageoh/contracts/attachments";
import { atMost } from "@messageoh/service-kit/atMost";
import { type MetadataValue, S3Store } from "@tus/s3-store";
import type { Upload } from "@tus/server";
import { LRUCache } from "lru-cache";
import { failStorage, PICTURE_SUFFIXES, type Storage, storageFailed } from "./storage.ts";

/** Longest time to connect, and without any byte, in milliseconds. A call may take three times as long. */
const TIME_LIMIT_MS = 10_000;
/** Bytes of an object in memory for each reader. */
const READ_BYTES = 2 * 1024 * 1024;
/** Validity of the address from which the gateway loads an object, in seconds: it loads it at once. */
const SIGNED_SECONDS = 60;
/** Unfinished uploads in memory, at most about 2 kB each. */
const KNOWN_UPLOADS_MAX = 1_000;
/**
 * Parts at the same time. Each is a temporary file until it is complete and in S3: in all 630 MB, which may be memory.
 */
const PARTS_MAX = 120;

export interface S3Options {
  url: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
  timeLimitMs?: number | undefined;
}

/** Uploads in a bucket. */
class S3Uploads extends S3Store {
  /** Ends the upload that was created if it cannot be found again: S3 would keep it without end. */
  protected override saveMetadata(upload: Upload, UploadId: string): Promise<void> {
    return super.saveMetadata(upload, UploadId).catch(async (error) => {
      await this.client.abortMultipartUpload({ Bucket: this.bucket, Key: upload.id, UploadId }).catch(() => {});
      throw error;
    });
  }
}

/**
 * Creates the storage in a bucket of an S3 server. Bucket names are part of the path, as most servers other than AWS
 * need.
 */
export function createS3Storage({
  url,
  bucket,
  region,
  accessKey,
  secretKey,
  timeLimitMs = TIME_LIMIT_MS,
}: S3Options): Storage {
  const config: S3ClientConfig = {
    endpoint: url,
    region,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    forcePathStyle: true,
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: timeLimitMs,
      socketTimeout: timeLimitMs,
      requestTimeout: 3 * timeLimitMs,
      throwOnRequestTimeout: true,
    },
    // Servers other than AWS do not know the checksums that the client adds by default.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  };
  const s3 = new S3Client(config);
  const known = new LRUCache<string, MetadataValue>(atMost(KNOWN_UPLOADS_MAX));
  const uploads = new S3Uploads({
    // A part of the upload is a part in S3.
    partSize: UPLOAD_PART_BYTES,
    useTags: false,
    // A part would wait without end for slow clients. Instead, the callers count them.
    maxConcurrentPartUploads: Number.POSITIVE_INFINITY,
    cache: {
      get: async (id) => known.get(id),
      set: async (id, value) => void known.set(id, value),
      delete: async (id) => void known.delete(id),
    },
    s3ClientConfig: { ...config, bucket },
  });

  const remove = async (keys: string[]) => {
    const Objects = keys.map((Key) => ({ Key }));
    const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
    const { Errors = [] } = await s3.send(command).catch(failStorage);
    // The status is 200 nevertheless. Some servers also name what was not there.
    const error = Errors.find(({ Code }) => Code !== "NoSuchKey");
    if (error) failStorage(error);
  };

  /** Returns a part of an object, and the size of the whole. */
  async function readPart(key: string, from: number, bytes: number) {
    const range = { Range: `bytes=${from}-${from + bytes - 1}` };
    const { Body, ContentRange } = await s3
      .send(new GetObjectCommand({ Bucket: bucket, Key: key, ...range }))
      .catch(failStorage);
    const part = Buffer.from((await Body?.transformToByteArray().catch(failStorage)) ?? []);
    return { part, size: Number(ContentRange?.split("/")[1]) };
  }

  /** Returns the bytes of an object in parts, between which the reader may pause: no request waits for it. */
  async function read(key: string, maxBytes?: number): Promise<Readable> {
    const { part, size } = await readPart(key, 0, Math.min(maxBytes ?? READ_BYTES, READ_BYTES));
    const end = Math.min(size, maxBytes ?? size);
    async function* parts() {
      yield part;
      for (let from = part.length; from < end; from += READ_BYTES) {
        yield (await readPart(key, from, Math.min(READ_BYTES, end - from))).part;
      }
    }
    return Readable.from(parts(), { objectMode: false });
  }

  return {
    uploads,
    partsMax: PARTS_MAX,

    async prepare() {
      try {
        await s3.send(new HeadBucketCommand({ Bucket: bucket }));
      } catch (error) {
        if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode !== 404) throw error;
        await s3.send(new CreateBucketCommand({ Bucket: bucket })).catch((cause) => {
          // Another instance has created it meanwhile.
          if (cause.name !== "BucketAlreadyOwnedByYou") throw cause;
        });
      }
    },

    check: () => s3.send(new HeadBucketCommand({ Bucket: bucket })),

    read,

    async withFile(key, use) {
      const folder = await mkdtemp(join(tmpdir(), "messageoh-media-"));
      try {
        const path = join(folder, "file");
        await pipeline(await read(key), createWriteStream(path)).catch(failStorage);
        return await use(path);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },

    async put(key, bytes, type) {
      const object = { Bucket: bucket, Key: key, Body: bytes, ContentType: type };
      await s3.send(new PutObjectCommand(object)).catch(failStorage);
    },

    async copy(from, to) {
      await s3
        .send(new CopyObjectCommand({ Bucket: bucket, CopySource: `${bucket}/${from}`, Key: to }))
        .catch(failStorage);
    },

    removeUpload: (key) => remove([key, `${key}.info`, `${key}.part`]),

    async removeAll(key) {
      // Parts of an unfinished upload are no objects. The library rejects if the upload is finished or not there.
      await uploads.remove(key).catch((error) => {
        if (error?.status_code !== 404) throw storageFailed(error);
      });
      await remove([key, `${key}.info`, `${key}.part`, ...PICTURE_SUFFIXES.map((suffix) => key + suffix)]);
    },

    async locate(key, method) {
      const object = { Bucket: bucket, Key: key };
      const options = { expiresIn: SIGNED_SECONDS };
      const signing =
        method === "HEAD"
          ? getSignedUrl(s3, new HeadObjectCommand(object), options)
          : getSignedUrl(s3, new GetObjectCommand(object), options);
      const { pathname, search } = new URL(await signing);
      return `/-/s3${pathname}${search}`;
    },
  };
}
