import type { NewMessage } from "@messageoh/contracts/messages";
import { isTracing, type Step, startStep } from "@messageoh/service-kit/tracing";

/** Records the storing of each message that belongs to a trace; what `work` does next for it is that step's. */
export async function traceStoring<T>(messages: readonly NewMessage[], work: () => Promise<T>): Promise<T> {
  if (!isTracing()) return work();
  const steps = messages.map((message) => {
    const step = startStep("store message", message.traceparent, {
      kind: "server",
      attributes: { "messageoh.request_id": message.request_id, "messageoh.batch_size": messages.length },
    });
    message.traceparent = step?.traceparent;
    return step;
  });
  const end = (failure?: unknown) => {
    for (const step of steps) step?.end(failure);
  };
  try {
    const result = await work();
    end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
}

/** Records the publishing of a message under the step that stored it. */
export const tracePublishing = (traceparent: string | undefined, messageId: string): Step | undefined =>
  startStep("publish message", traceparent, { kind: "producer", attributes: { "messageoh.message_id": messageId } });
