import { ChoiceField } from "@messageoh/ui-kit/fields/ChoiceField";
import { type Theme, useTheme } from "@messageoh/ui-kit/hooks/useTheme";
import type { ReactElement } from "react";
import css from "./ThemeChoice.module.css";

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: "system", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** Renders the choice of the theme, which is kept in this browser. */
export function ThemeChoice(): ReactElement {
  const [theme, setTheme] = useTheme();
  return (
    <fieldset className={css.choices}>
      <legend className={css.heading}>Theme</legend>
      {THEMES.map(({ value, label }) => (
        <ChoiceField
          key={value}
          type="radio"
          name="theme"
          label={label}
          checked={theme === value}
          onChange={() => setTheme(value)}
        />
      ))}
    </fieldset>
  );
}
