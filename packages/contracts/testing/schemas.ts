import type * as v from "valibot";

/** A check or another action of a schema. */
interface Action {
  kind: "validation" | "transformation" | "metadata";
  type: string;
}

/** The parts of a schema that tests of all contracts read. */
export interface Schema extends v.GenericSchema {
  /** The schema itself, and what follows it: checks, and schemas of what they let pass. */
  pipe?: readonly (Schema | Action)[];
  entries?: Record<string, Schema>;
  wrapped?: Schema;
  item?: Schema;
  items?: readonly Schema[];
  options?: readonly (Schema | string)[];
  key?: Schema;
  value?: Schema;
}
type Named = [path: string, schema: Schema];

const isSchema = (part: unknown): part is Schema => (part as Partial<Schema> | null)?.kind === "schema";

/** Returns the checks and other steps of a schema, in order. */
export const stepsOf = ({ pipe = [] }: Schema): (Schema | Action)[] =>
  pipe.flatMap((step, index) => (index > 0 || !isSchema(step) ? [step] : stepsOf(step)));

function partsOf([path, schema]: Named): Named[] {
  const passedOn = stepsOf(schema).findLast(isSchema);
  if (passedOn) return partsOf([path, passedOn]);
  const { entries, wrapped, item, items, options = [], key, value } = schema;
  const parts: Named[] = [
    ...Object.entries(entries ?? {}).map(([name, field]): Named => [`${path}.${name}`, field]),
    ...[wrapped, ...options].filter(isSchema).map((part): Named => [path, part]),
    ...[item, ...(items ?? [])].filter(isSchema).map((part): Named => [`${path}[]`, part]),
  ];
  if (key && value) parts.push([`${path}.key_id`, key], [`${path}.value`, value]);
  return parts;
}

/** Returns a schema and all schemas within it, by path. */
export const schemasWithin = (named: Named): Named[] => [named, ...partsOf(named).flatMap(schemasWithin)];

/** Returns the schemas of single values within a schema, by path. */
export const leavesOf = (named: Named): Named[] => schemasWithin(named).filter((part) => partsOf(part).length === 0);

/** Returns the schemas of endpoints and socket events, and standalone schemas, by name. */
export function schemasOf(module: Record<string, unknown>): Named[] {
  return Object.entries(module).flatMap(([name, value]): Named[] => {
    if (typeof value !== "object" || value === null) return [];
    if ("path" in value && "response" in value) {
      const { params, query, body, response } = value as unknown as Record<string, Schema>;
      return Object.entries({ params, query, body, response }).map(([part, schema]) => [
        `${name}.${part}`,
        schema as Schema,
      ]);
    }
    return isSchema(value) ? [[name, value]] : (Object.entries(value) as Named[]);
  });
}
