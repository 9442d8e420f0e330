import * as v from "valibot";

/** Error text of every check that has none of its own. It does not repeat the value, which may be long. */
const INVALID = "Invalid input";
/** A value is checked up to its first error, so the checks after a length never see a text that is too long. */
const CONFIG = { abortEarly: true, abortPipeEarly: true, message: INVALID };

/** A parsed value, or why it is invalid. */
export type Parsed<Output> =
  | { success: true; data: Output; error?: undefined }
  | { success: false; data?: undefined; error: InvalidValue };

/** The first error in a value. */
export class InvalidValue extends Error {
  override name = "InvalidValue";
  /** Path of the field that is invalid, such as `messages.0.text`; `null` for the value itself. */
  readonly field: string | null;

  constructor(issue: v.BaseIssue<unknown>) {
    super(issue.message);
    this.field = v.getDotPath(issue);
  }

  /** The text for whoever sent the value. It names the field if the check has no text of its own. */
  get text(): string {
    return this.message === INVALID && this.field !== null ? `${this.field}: ${INVALID}` : this.message;
  }
}

/**
 * Checks a value of another process, another page or a storage against a schema. Removes fields that the schema does
 * not have.
 */
export function safeParse<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): Parsed<v.InferOutput<Schema>> {
  const { success, output, issues } = v.safeParse(schema, value, CONFIG);
  return success ? { success, data: output } : { success, error: new InvalidValue(issues[0]) };
}

/**
 * Returns a value as a schema describes it.
 * @throws InvalidValue if it does not conform to the schema
 */
export function parse<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const { error, data } = safeParse(schema, value);
  if (error) throw error;
  return data;
}
