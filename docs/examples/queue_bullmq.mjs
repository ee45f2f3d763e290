// node queue_bullmq.mjs redis://127.0.0.1:6379 http://127.0.0.1:9227: runs the batches of the queue "pages"
import { UnrecoverableError, Worker } from "bullmq";

const [redis, server] = process.argv.slice(2);

async function run(job) {
  const answer = await fetch(`${server}/run`, {
    method: "POST",
    // A job that another worker began joins its batch; an attempt after a failure is a new one.
    headers: { Accept: "application/json", "Idempotency-Key": `${job.id}/${job.attemptsMade}` },
    body: JSON.stringify(job.data),
  });
  if (answer.status === 429 || answer.status === 503) {
    await worker.rateLimit(1000 * (answer.headers.get("Retry-After") ?? 5));
    throw Worker.RateLimitError(); // back into the queue, which is no attempt
  }
  const result = await answer.json();
  if (answer.status === 400) {
    throw new UnrecoverableError(result.error); // an invalid batch stays invalid
  }
  if (!answer.ok || result.summary.failed > 0) {
    throw new Error(result.error ?? result.responses.find((response) => !response.success).error);
  }
  return result.responses.map((response) => response.result ?? null);
}

const worker = new Worker("pages", run, { connection: { url: redis }, concurrency: 4 });
worker.on("completed", (job, results) => console.log(JSON.stringify({ id: job.id, results })));
worker.on("failed", (job, error) => console.log(JSON.stringify({ id: job?.id, error: error.message })));
worker.on("error", (error) => console.error(error.message));
process.on("SIGTERM", () => worker.close());
