import { frontendConfig } from "@messageoh/frontend-build/frontend";

export default frontendConfig({
  dir: import.meta.dirname,
  name: "mfe_auth",
  kind: "remote",
  exposes: { "./LoginPage": "./src/LoginPage.tsx", "./RegisterPage": "./src/RegisterPage.tsx" },
  port: 3101,
});
