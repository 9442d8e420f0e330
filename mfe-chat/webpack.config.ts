import { frontendConfig } from "@messageoh/stack/frontends/webpackConfig";
import { FIRST_CALLS } from "./src/fetching/firstCalls.ts";

export default frontendConfig({
  dir: import.meta.dirname,
  name: "mfe_chat",
  kind: "remote",
  exposes: { "./ChatPage": "./src/exposedChatPage.ts" },
  firstCalls: { ChatPage: FIRST_CALLS },
  port: 3102,
});
