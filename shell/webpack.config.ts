import { serviceWorkerConfig } from "@messageoh/stack/frontends/serviceWorker";
import { frontendConfig } from "@messageoh/stack/frontends/webpackConfig";

const shell = frontendConfig({ dir: import.meta.dirname, name: "shell", kind: "host", port: 3100 });

// The development server has no service worker, because it would serve old files.
export default process.env.WEBPACK_SERVE === "true" ? shell : [shell, serviceWorkerConfig(import.meta.dirname)];
