// A classic script that runs before the page is painted, so that the chosen colours and direction never flash. It is a
// file of its own, because the Content Security Policy forbids inline scripts. useAppearance of the ui-kit stores the
// choices under the same keys.
{
  const PREFIX = "messageoh:";
  /** Languages that are written from right to left. */
  const RIGHT_TO_LEFT = /^(?:ar|arc|ckb|dv|fa|he|ps|sd|ug|ur|yi)(?:-|$)/i;

  const chosen = (name: string, options: RegExp): string | undefined =>
    options.exec(localStorage.getItem(PREFIX + name) ?? "")?.[0];

  const set = (name: "theme" | "accent" | "background", value: string | undefined): void => {
    if (value) document.documentElement.dataset[name] = value;
    else delete document.documentElement.dataset[name];
  };

  const apply = (): void => {
    const theme = chosen("theme", /^(?:light|dark)$/);
    set("theme", theme);
    set("accent", chosen("accent", /^(?:green|blue|violet|pink|amber)$/));
    set("background", chosen("background", /^(?:dots|lines|squares|scales|glow)$/));
    const ofSystem = RIGHT_TO_LEFT.test(navigator.language) ? "rtl" : "ltr";
    document.documentElement.dir = chosen("direction", /^(?:ltr|rtl)$/) ?? ofSystem;
    for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[data-scheme]")) {
      const { scheme } = meta.dataset;
      meta.media = theme ? (theme === scheme ? "all" : "not all") : `(prefers-color-scheme: ${scheme})`;
    }
  };

  try {
    apply();
    // Sent by other tabs, and by useAppearance in this one.
    addEventListener("storage", ({ key }) => key?.startsWith(PREFIX) && apply());
  } catch (error) {
    console.warn("The chosen appearance could not be read", error);
  }
}
