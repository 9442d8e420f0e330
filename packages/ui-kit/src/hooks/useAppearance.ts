import { useMediaQuery } from "./useMediaQuery.ts";
import { useStoredChoice } from "./useStoredChoice.ts";

/**
 * What a user can choose for this browser; the first option is the default. The shell's appearance.ts applies the
 * choices.
 */
const APPEARANCE = {
  theme: ["system", "light", "dark"],
  accent: ["teal", "green", "blue", "violet", "pink", "amber"],
  background: ["plain", "dots", "lines", "squares", "scales", "glow"],
  direction: ["system", "ltr", "rtl"],
} as const;
export type Appearance = typeof APPEARANCE;

/** Returns what is chosen in this browser, and the function that changes it in all tabs. */
export function useAppearance<Name extends keyof Appearance>(name: Name) {
  // The same key as in the shell's appearance.ts.
  return useStoredChoice<Appearance[Name][number]>(`messageoh:${name}`, APPEARANCE[name]);
}

/** Returns whether the app is dark, by choice or by the system, and the function that chooses the other theme. */
export function useDarkTheme() {
  const [theme, choose] = useAppearance("theme");
  const isSystemDark = useMediaQuery("(prefers-color-scheme: dark)");
  const isDark = theme === "system" ? isSystemDark : theme === "dark";
  return [isDark, () => choose(isDark ? "light" : "dark")] as const;
}
