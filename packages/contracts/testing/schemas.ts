/** The parts of a zod schema that tests of all contracts read. */
export interface Schema {
  safeParse: (value: unknown) => { success: boolean };
  def: {
    type: string;
    /** The kind of a check, or the format of a text that has a schema of its own, such as `z.url()`. */
    check?: string;
    format?: string;
    checks?: { _zod: { def: { check: string; maximum?: number; abort?: boolean } } }[];
    shape?: Record<string, Schema>;
    innerType?: Schema;
    element?: Schema;
    /** Schema of what a pipe passes on. */
    out?: Schema;
    items?: Schema[];
    options?: Schema[];
    keyType?: Schema;
    valueType?: Schema;
  };
}
type Named = [path: string, schema: Schema];

function partsOf([path, { def }]: Named): Named[] {
  const { shape, innerType, element, out, items, options, keyType, valueType } = def;
  if (shape) return Object.entries(shape).map(([name, field]) => [`${path}.${name}`, field]);
  if (innerType) return [[path, innerType]];
  if (out) return [[path, out]];
  if (element) return [[`${path}[]`, element]];
  if (keyType && valueType) {
    return [
      [`${path}.key_id`, keyType],
      [`${path}.value`, valueType],
    ];
  }
  return (items ?? options ?? []).map((part) => [items ? `${path}[]` : path, part]);
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
    return "def" in value ? [[name, value as Schema]] : (Object.entries(value) as Named[]);
  });
}
