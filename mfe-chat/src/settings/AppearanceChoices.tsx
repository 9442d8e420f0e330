import { ChoiceField } from "@messageoh/ui-kit/fields/ChoiceField";
import { type Appearance, useAppearance } from "@messageoh/ui-kit/hooks/useAppearance";
import type { ReactElement } from "react";
import css from "./AppearanceChoices.module.css";

type Labels<Name extends keyof Appearance> = Record<Appearance[Name][number], string>;

const THEMES: Labels<"theme"> = { system: "Like the system", light: "Light", dark: "Dark" };
const ACCENTS: Labels<"accent"> = {
  teal: "Teal",
  green: "Green",
  blue: "Blue",
  violet: "Violet",
  pink: "Pink",
  amber: "Amber",
};
const DIRECTIONS: Labels<"direction"> = { system: "Like the system", ltr: "Left to right", rtl: "Right to left" };

/** Renders the choices of how the app looks, which are kept in this browser. */
export function AppearanceChoices(): ReactElement {
  return (
    <>
      <Choice name="theme" legend="Theme" labels={THEMES} />
      <Choice name="accent" legend="Colour" labels={ACCENTS} />
      <Choice name="direction" legend="Direction" labels={DIRECTIONS} />
    </>
  );
}

interface ChoiceProps<Name extends keyof Appearance> {
  name: Name;
  legend: string;
  labels: Labels<Name>;
}

function Choice<Name extends keyof Appearance>({ name, legend, labels }: ChoiceProps<Name>): ReactElement {
  const [chosen, choose] = useAppearance(name);
  return (
    <fieldset className={css.choices}>
      <legend className={css.heading}>{legend}</legend>
      {Object.entries<string>(labels).map(([option, label]) => (
        <ChoiceField
          key={option}
          type="radio"
          name={name}
          label={label}
          checked={chosen === option}
          onChange={() => choose(option as Appearance[Name][number])}
        />
      ))}
    </fieldset>
  );
}
