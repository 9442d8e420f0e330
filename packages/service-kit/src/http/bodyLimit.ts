import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";

/** A UTF-16 code unit as an escape, such as `\ud83e`. */
const UNIT_BYTES = 6;
/** A number, boolean or constant. */
const VALUE_BYTES = 32;
/** White space, and fields that the contract does not have. */
const SPARE_BYTES = 4_000;

/** Returns what a schema accepts as JSON Schema. Checks without a counterpart there are left out. */
export const jsonSchemaOf = (schema: v.GenericSchema) =>
  toJsonSchema(schema, { typeMode: "input", errorMode: "ignore", target: "draft-2020-12" });

/**
 * Returns the size of the largest JSON text that a schema accepts, in bytes, with room for white space and other
 * fields. It is infinite if the schema has a part without a limit.
 */
export const bodyMaxBytes = (schema: v.GenericSchema): number => SPARE_BYTES + jsonBytes(jsonSchemaOf(schema));

type JsonSchema = Pick<
  ReturnType<typeof jsonSchemaOf>,
  | "anyOf"
  | "enum"
  | "const"
  | "type"
  | "maxLength"
  | "maxItems"
  | "items"
  | "prefixItems"
  | "properties"
  | "propertyNames"
>;

function jsonBytes(schema: JsonSchema): number {
  const { anyOf, type, maxLength = Number.POSITIVE_INFINITY, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (anyOf) return Math.max(...anyOf.map((option) => jsonBytes(option as JsonSchema)));
  if (schema.enum || schema.const !== undefined) return VALUE_BYTES;
  if (type === "string") return maxLength * UNIT_BYTES + 2;
  if (schema.prefixItems) return schema.prefixItems.reduce((sum, item) => sum + jsonBytes(item as JsonSchema) + 1, 2);
  if (type === "array") return maxItems * (jsonBytes(schema.items as JsonSchema) + 1) + 2;
  if (type === "object" && !schema.propertyNames) {
    const fields = Object.entries(schema.properties ?? {});
    return fields.reduce((sum, [name, field]) => sum + name.length + 4 + jsonBytes(field as JsonSchema), 2);
  }
  const isPlain = type === "number" || type === "integer" || type === "boolean" || type === "null";
  return isPlain ? VALUE_BYTES : Number.POSITIVE_INFINITY;
}
