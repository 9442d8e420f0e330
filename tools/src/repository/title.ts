const TYPES = ["build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "test"];
const TITLE = /^(?<type>[a-z]+)(?:\((?<scopes>[^()]+)\))?!?: (?<subject>\S.*)$/;

/**
 * Returns what is wrong with a title as a Conventional Commit, or `undefined`.
 * Scopes are folder names of workspaces, separated by commas, or those that Dependabot writes.
 */
export function findTitleFault(title: string, workspaces: string[]): string | undefined {
  const { type = "", scopes, subject = "" } = TITLE.exec(title)?.groups ?? {};
  if (subject === "")
    return 'It must have the form "type(scope): subject", for example "fix(mfe-chat): keep the draft"';
  if (!TYPES.includes(type)) return `The type must be one of ${TYPES.join(", ")}, not "${type}"`;
  const known = [...workspaces.map((folder) => folder.split("/").pop() ?? ""), "deploy", "deps", "deps-dev"];
  const unknown = scopes?.split(",").find((scope) => !known.includes(scope.trim()));
  if (unknown !== undefined) return `The scope must be one of ${known.join(", ")}, not "${unknown}"`;
  if (subject.endsWith(".")) return "The subject must not end in a full stop";
  return undefined;
}
