import { frontendConfig } from "../tools/src/webpack/frontend.ts";

export default frontendConfig({
  dir: import.meta.dirname,
  name: "mfe_chat",
  kind: "remote",
  exposes: { "./ChatPage": "./src/ChatPage.tsx" },
  port: 3102,
});
