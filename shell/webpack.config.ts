import { frontendConfig } from "@messageoh/frontend-build/frontend";

export default frontendConfig({ dir: import.meta.dirname, name: "shell", kind: "host", port: 3100 });
