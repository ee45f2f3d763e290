// An activity for Temporal that runs a batch: activities of Worker.create() are runBatches("http://127.0.0.1:9227")
import { ApplicationFailure, Context } from "@temporalio/activity";

const HEARTBEAT_MS = 5000; // give the activity a heartbeatTimeout of some of these

export function runBatches(server) {
  async function runBatch(batch) {
    const context = Context.current();
    // By these Temporal notices that the worker has died, and the worker that the activity is cancelled.
    const beat = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
    try {
      // Without an Idempotency-Key the batch is cancelled with its connection, before another attempt begins.
      const answer = await fetch(`${server}/run`, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: JSON.stringify(batch),
        signal: context.cancellationSignal,
      });
      const result = await answer.json();
      const failed = result.responses?.find((response) => !response.success);
      if (answer.ok && !failed) {
        return result.responses.map((response) => response.result ?? null);
      }
      const wait = answer.headers.get("Retry-After");
      throw ApplicationFailure.create({
        message: result.error ?? failed.error,
        type: result.errorCode ?? failed.errorCode,
        nonRetryable: answer.status === 400, // an invalid batch stays invalid
        nextRetryDelay: wait ? `${wait}s` : undefined,
      });
    } finally {
      clearInterval(beat);
    }
  }
  return { runBatch };
}
