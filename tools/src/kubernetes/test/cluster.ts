import { randomBytes } from "node:crypto";
import { findProgram, run } from "@messageoh/stack/command/run";

/** A pod as `kubectl get pods -o json` lists it. */
export type Pod = {
  metadata: { name: string; uid: string; labels: { app?: string }; deletionTimestamp?: string };
  status: {
    startTime?: string;
    conditions?: { type: string; status: string }[];
    containerStatuses?: { restartCount: number }[];
  };
};

export const isReady = ({ status }: Pod): boolean =>
  (status.conditions ?? []).some(({ type, status }) => type === "Ready" && status === "True");

/** A namespace of its own in a cluster. */
export class Cluster {
  readonly context: string;
  readonly namespace = `messageoh-test-${randomBytes(3).toString("hex")}`;

  private constructor(context: string) {
    this.context = context;
  }

  /** Returns the cluster of a context of kubectl, or the reason why it cannot be used. */
  static async find(context: string): Promise<Cluster | string> {
    if (!findProgram("kubectl")) return "kubectl is not installed";
    const cluster = new Cluster(context);
    return run("kubectl", ["config", "get-contexts", context, "--output=name"]).then(
      () =>
        cluster.kubectl(["version", "--request-timeout=10s"]).then(
          () => cluster,
          (error: Error) =>
            `the cluster of the context ${context} does not respond (${error.message.split("\n").at(-1)})`,
        ),
      () => `kubectl has no context ${context}`,
    );
  }

  /** Arguments that make kubectl use this namespace. */
  get scope(): string[] {
    return ["--context", this.context, "--namespace", this.namespace];
  }

  /** Runs kubectl in this namespace and returns its output. */
  kubectl(args: string[], input?: string): Promise<string> {
    return run("kubectl", [...this.scope, ...args], { input });
  }

  /** Returns the pods of a deployment that are not being deleted, or of all. */
  async pods(app?: string): Promise<Pod[]> {
    const list = JSON.parse(await this.kubectl(["get", "pods", "--output=json"])) as { items: Pod[] };
    return list.items.filter(
      ({ metadata }) => metadata.deletionTimestamp === undefined && (app === undefined || metadata.labels.app === app),
    );
  }

  /** Waits until all pods of a deployment run its current configuration and are ready. */
  async rolledOut(deployment: string): Promise<void> {
    await this.kubectl(["rollout", "status", `deployment/${deployment}`, "--timeout=300s"]);
  }

  /** Deletes the namespace with everything in it. */
  async remove(): Promise<void> {
    await this.kubectl(["delete", "namespace", this.namespace, "--ignore-not-found", "--timeout=180s"]);
  }
}
