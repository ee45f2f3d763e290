"""The rejection on a click is in the answer to the click or to the step after it."""


def run(ctx):
    last = ctx.runs[-1].responses[-2:]
    messages = [log["message"] for response in last for log in response["logs"]]
    ctx.expect(sum("rejected on a click" in message for message in messages) == 1,
               f"the rejection is not there exactly once: {messages}")
