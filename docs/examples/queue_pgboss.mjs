// node queue_pgboss.mjs postgres://localhost/jobs http://127.0.0.1:9227: runs the batches of the queue "pages"
import { PgBoss } from "pg-boss";

const [database, server] = process.argv.slice(2);
const boss = new PgBoss(database);

async function run([job]) {
  const answer = await fetch(`${server}/run`, {
    method: "POST",
    // A job that another worker began joins its batch; an attempt after a failure is a new one.
    headers: { Accept: "application/json", "Idempotency-Key": `${job.id}/${job.retryCount}` },
    body: JSON.stringify(job.data),
    signal: job.signal,
  });
  const result = await answer.json();
  if (answer.status === 400) {
    return { invalid: result.error }; // an invalid batch stays invalid: it is not repeated
  }
  if (!answer.ok || result.summary.failed > 0) {
    // Also for 429 and 503: retryDelay and retryBackoff of the queue say when it is repeated.
    throw new Error(result.error ?? result.responses.find((response) => !response.success).error);
  }
  return { results: result.responses.map((response) => response.result ?? null) };
}

boss.on("error", (error) => console.error(error.message));
await boss.start();
await boss.createQueue("pages", { retryLimit: 5, retryDelay: 2, retryBackoff: true, expireInSeconds: 600 });
await boss.work("pages", { batchSize: 1, includeMetadata: true }, run);
process.on("SIGTERM", () => boss.stop({ graceful: true }));
