import { AVATAR_IDS } from "@messageoh/contracts/avatars";
import { id, messageText, userName } from "@messageoh/contracts/fields";
import { linkPreview } from "@messageoh/contracts/linkPreviews";
import { safeParse } from "@messageoh/contracts/parse";
import { createLogger } from "@messageoh/service-kit/logger";
import { connectMongo } from "@messageoh/service-kit/mongo";
import { COLLECTION } from "../../svc-messages/src/messages/message.model.ts";
import type { Findings } from "./findings.ts";

type Row = Record<string, unknown>;

/** The fields that each collection may contain, with a check of their values. */
const FIELDS: Record<string, Record<string, Record<string, (value: unknown) => boolean>>> = {
  users: {
    users: {
      _id: isId,
      name: (value) => safeParse(userName, value).data === value,
      name_key: isText,
      name_parts: (value) => Array.isArray(value) && value.every(isText),
      name_skeletons: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
      password_hash: (value) => /^\$2b\$\d\d\$.{53}$/.test(String(value)),
      avatar_id: (value) => (AVATAR_IDS as unknown[]).includes(value),
      created_at: isDate,
      held_names: optional(Array.isArray),
      friends_version: optional(Number.isInteger),
      who_may_add: optional((value) => value === "everyone" || value === "nobody"),
      invite_token: optional((value) => safeParse(id, value).success),
    },
    friendships: {
      _id: isId,
      pair_key: isText,
      user_ids: (value) => Array.isArray(value) && [0, 2].includes(value.length) && value.every(isId),
      created_at: isDate,
      changed_at: optional(isDate),
      blocked_by: optional(isIdList),
      blocked: optional(isIdList),
      muted_by: optional(isIdList),
      notice_for: optional(isId),
    },
  },
  messages: {
    [COLLECTION]: {
      _id: () => true,
      id: isId,
      client_id: isText,
      thread_id: isId,
      seq: Number.isInteger,
      sending_user_id: isId,
      recipient_user_id: isId,
      text: (value) => safeParse(messageText, value).data === value,
      timestamp: isDate,
      attachments: optional(Array.isArray),
      preview: optional((value) => safeParse(linkPreview, value).success),
    },
  },
};

/** The fields of a refused message, which is stored with the others. */
const REFUSED_MESSAGE = {
  _id: isText,
  thread_id: isText,
  sending_user_id: isId,
  client_id: isText,
  refused_at: isDate,
};

/** Checks that every stored document matches the contracts. */
export async function checkStored(mongoUrl: string, findings: Findings): Promise<void> {
  for (const [database, collections] of Object.entries(FIELDS)) {
    const connection = await connectMongo(mongoUrl, database, createLogger("fuzz", "silent"));
    for (const [name, fields] of Object.entries(collections)) {
      if ((await connection.collection(name).countDocuments()) === 0) findings.fault(`nothing is stored in ${name}`);
      for await (const row of connection.collection(name).find({})) {
        findings.count(`stored ${name}, checked`);
        const wrong = faultIn(row, "refused_at" in row ? REFUSED_MESSAGE : fields);
        if (wrong) findings.fault(`stored in ${name}: ${wrong}`, JSON.stringify(row));
      }
    }
    await connection.close();
  }
}

function faultIn(row: Row, fields: Record<string, (value: unknown) => boolean>): string | undefined {
  const unknown = Object.keys(row).find((key) => !(key in fields));
  return unknown ?? Object.keys(fields).find((key) => !fields[key]?.(row[key]));
}

function isId(value: unknown): boolean {
  return /^[0-9a-f]{24}$/.test(String(value));
}
function isIdList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isId);
}
function optional(check: (value: unknown) => boolean) {
  return (value: unknown): boolean => value === undefined || check(value);
}
function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !value.includes("\0") && value.isWellFormed();
}
function isDate(value: unknown): boolean {
  return value instanceof Date;
}
