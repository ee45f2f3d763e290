"""celery -A queue_celery worker --concurrency 4: runs batches; BROKER and SERVER say where.

run.delay([{"type": "start", "url": "http://localhost:3000/"}, …]) queues one.
"""
import json
import os
import urllib.error
import urllib.request

from celery import Celery

SERVER = os.environ.get("SERVER", "http://127.0.0.1:9227")
app = Celery("pages", broker=os.environ.get("BROKER", "redis://127.0.0.1:6379/0"),
             backend=os.environ.get("BACKEND"))


@app.task(bind=True, acks_late=True, reject_on_worker_lost=True, max_retries=20)
def run(self, batch):
    # A task that another worker began joins its batch; an attempt after a failure is a new one.
    request = urllib.request.Request(SERVER + "/run", json.dumps(batch).encode(), {
        "Accept": "application/json", "Idempotency-Key": f"{self.request.id}/{self.request.retries}"})
    try:
        with urllib.request.urlopen(request, timeout=600) as answer:
            result = json.load(answer)
    except urllib.error.HTTPError as error:
        text = json.load(error)["error"]
        if error.code == 400:
            raise ValueError(text) from None  # an invalid batch stays invalid
        raise self.retry(countdown=int(error.headers.get("Retry-After", 5)), exc=RuntimeError(text))
    if result["summary"]["failed"]:
        raise self.retry(countdown=5, exc=RuntimeError(next(
            response["error"] for response in result["responses"] if not response["success"])))
    return [response.get("result") for response in result["responses"]]
