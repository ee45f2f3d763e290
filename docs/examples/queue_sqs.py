"""python3 queue_sqs.py QUEUE_URL http://127.0.0.1:9227: runs the batches in an SQS queue."""
import sys
import urllib.error
import urllib.request

import boto3

HIDDEN_S = 600  # longer than --queue-timeout and --batch-timeout together


def run(server, message):
    """Returns whether the message is done; if not, it becomes visible again after some seconds."""
    # A message that another worker began joins its batch.
    request = urllib.request.Request(server + "/run", message["Body"].encode(), {
        "Accept": "application/json", "Idempotency-Key": message["MessageId"]})
    try:
        with urllib.request.urlopen(request, timeout=HIDDEN_S) as answer:
            print(message["MessageId"], answer.read().decode())
            return True, 0
    except urllib.error.HTTPError as error:
        print(message["MessageId"], error.code, error.read().decode(), file=sys.stderr)
        return error.code == 400, int(error.headers.get("Retry-After", 30))  # invalid stays invalid


def main(queue, server):
    sqs = boto3.client("sqs")
    while True:
        found = sqs.receive_message(QueueUrl=queue, WaitTimeSeconds=20, VisibilityTimeout=HIDDEN_S)
        for message in found.get("Messages", []):
            handle = {"QueueUrl": queue, "ReceiptHandle": message["ReceiptHandle"]}
            is_done, wait_s = run(server, message)
            if is_done:
                sqs.delete_message(**handle)
            else:
                sqs.change_message_visibility(**handle, VisibilityTimeout=wait_s)


if __name__ == "__main__":
    main(*sys.argv[1:])
