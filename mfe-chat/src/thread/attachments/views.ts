// Loaded with the first message that has files.
export { OtherFile } from "./OtherFile.tsx";
export { Pictures } from "./Pictures.tsx";
