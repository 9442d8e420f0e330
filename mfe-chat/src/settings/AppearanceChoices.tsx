import { ChoiceField } from "@messageoh/ui-kit/fields/ChoiceField";
import { type Appearance, useAppearance } from "@messageoh/ui-kit/hooks/useAppearance";
import type { ReactElement } from "react";
import css from "./AppearanceChoices.module.css";
import { PictureChoice } from "./PictureChoice.tsx";

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
const BACKGROUNDS: Labels<"background"> = {
  plain: "Plain",
  dots: "Dots",
  lines: "Lines",
  squares: "Squares",
  scales: "Scales",
  glow: "Glow",
};
const DIRECTIONS: Labels<"direction"> = { system: "Like the system", ltr: "Left to right", rtl: "Right to left" };

/** Renders the choices of how the app looks, which are kept in this browser. */
export function AppearanceChoices(): ReactElement {
  return (
    <>
      <Choice name="theme" legend="Theme" labels={THEMES} />
      <Choice
        name="accent"
        legend="Colour"
        labels={ACCENTS}
        picture={(accent) => (
          <span className={css.accent} data-accent={accent}>
            <span className={css.own} />
          </span>
        )}
      />
      <Choice
        name="background"
        legend="Background of the threads"
        labels={BACKGROUNDS}
        picture={(background) => (
          <span className={css.thread} data-background={background}>
            <span className={css.friend} />
            <span className={css.own} />
          </span>
        )}
      />
      <Choice name="direction" legend="Direction" labels={DIRECTIONS} />
    </>
  );
}

interface ChoiceProps<Name extends keyof Appearance> {
  name: Name;
  legend: string;
  labels: Labels<Name>;
  /** Shown above the labels. */
  picture?: (option: string) => ReactElement;
}

function Choice<Name extends keyof Appearance>({ name, legend, labels, picture }: ChoiceProps<Name>): ReactElement {
  const [chosen, choose] = useAppearance(name);
  return (
    <fieldset className={picture ? `${css.choices} ${css.pictures}` : css.choices}>
      <legend className={css.heading}>{legend}</legend>
      {Object.entries<string>(labels).map(([option, label]) => {
        const field = {
          name,
          label,
          checked: chosen === option,
          onChange: () => choose(option as Appearance[Name][number]),
        };
        return picture ? (
          <PictureChoice key={option} {...field}>
            {picture(option)}
          </PictureChoice>
        ) : (
          <ChoiceField key={option} type="radio" {...field} />
        );
      })}
    </fieldset>
  );
}
