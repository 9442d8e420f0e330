/** Stands in for style sheets and pictures in unit tests: any class name is its own name. */
const assetStub: Record<string, string> = new Proxy({}, { get: (_, name) => String(name) });

export default assetStub;
