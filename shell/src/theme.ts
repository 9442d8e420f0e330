// A classic script that runs before the page is painted, so that the chosen theme never flashes. It is a file of its own,
// because the Content Security Policy forbids inline scripts. useTheme of the ui-kit stores the choice under the same key.
{
  const STORAGE_KEY = "messageoh:theme";

  const applyTheme = (): void => {
    const stored = localStorage.getItem(STORAGE_KEY);
    const theme = stored === "light" || stored === "dark" ? stored : null;
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[data-scheme]")) {
      const { scheme } = meta.dataset;
      meta.media = theme ? (theme === scheme ? "all" : "not all") : `(prefers-color-scheme: ${scheme})`;
    }
  };

  try {
    applyTheme();
    // Sent by other tabs, and by useTheme in this one.
    addEventListener("storage", ({ key }) => key === STORAGE_KEY && applyTheme());
  } catch (error) {
    console.warn("The theme could not be read", error);
  }
}
