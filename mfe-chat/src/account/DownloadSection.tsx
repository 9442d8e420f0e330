import type { ReactElement } from "react";
import { downloadData, downloadFiles } from "../fetching/downloadData.ts";
import { Download } from "./Download.tsx";
import css from "./MyAccountDialog.module.css";

/** Renders the downloads of all data and of all files of the user. */
export function DownloadSection(): ReactElement {
  return (
    <section className={css.section} aria-label="Your data">
      <Download
        load={downloadData}
        fileName="messageoh-data.json"
        label="Download my data"
        progress="Download of your data"
      >
        Your profile, friends, sessions and messages as a JSON file. Of threads with former friends, it contains the
        messages that you sent.
      </Download>
      <Download
        load={downloadFiles}
        fileName="messageoh-files.zip"
        label="Download my files"
        progress="Download of your files"
      >
        The photos and files of your messages as a ZIP file.
      </Download>
    </section>
  );
}
