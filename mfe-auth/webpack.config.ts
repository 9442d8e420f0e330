import { frontendConfig } from "@messageoh/stack/frontends/webpackConfig";

export default frontendConfig({
  dir: import.meta.dirname,
  name: "mfe_auth",
  kind: "remote",
  exposes: { "./LoginPage": "./src/login/LoginPage.tsx", "./RegisterPage": "./src/register/RegisterPage.tsx" },
  port: 3101,
});
