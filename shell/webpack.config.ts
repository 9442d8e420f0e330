import { frontendConfig } from "../tools/src/webpack/frontend.ts";

export default frontendConfig({ dir: import.meta.dirname, name: "shell", kind: "host", port: 3100 });
