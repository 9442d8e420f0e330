import { frontendConfig } from "@messageoh/frontend-build/frontend";

export default frontendConfig({
  dir: import.meta.dirname,
  name: "mfe_chat",
  kind: "remote",
  exposes: { "./ChatPage": "./src/exposedChatPage.ts" },
  port: 3102,
});
