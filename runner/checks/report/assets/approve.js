// Builds the commands that approve one check or several.

const APPROVE = " --approve ";

const approvable = (list) => list.filter((check) => check.approve);

const PLAIN_NAME = /^[A-Za-z0-9._-]+$/;

// The argument of --approve for a check. If all approvable viewports of the check are wanted, this
// is one glob for all of them.
function approveWord(check, word, wanted) {
  const siblings = approvable(checks).filter((other) => other.name === check.name);
  const isWhole = siblings.length > 1 && siblings.every((other) => wanted.has(other));
  return isWhole && PLAIN_NAME.test(check.name) ? `'${check.name}@*'` : word;
}

// One command for all of the checks, or one per suite if the checks belong to several suites.
function approveCommand(list) {
  const byCommand = new Map();
  const wanted = new Set(list);
  for (const check of approvable(list)) {
    const at = check.approve.lastIndexOf(APPROVE);
    const command = at < 0 ? check.approve : check.approve.slice(0, at);
    const words = byCommand.get(command) ?? new Set();
    if (at >= 0) {
      words.add(list.length > 1 ? approveWord(check, check.approve.slice(at + APPROVE.length), wanted)
        : check.approve.slice(at + APPROVE.length));
    }
    byCommand.set(command, words);
  }
  return [...byCommand].map(([command, words]) => [command, ...words].join(APPROVE)).join("\n");
}

function copyApproval(list) {
  if (isReview()) {
    decide("accept", list);
    return;
  }
  const command = approveCommand(list);
  if (command) {
    copy(command, approvable(list).length > 1 ? `Command for ${plural(approvable(list).length, "check")}` : "Command");
  } else {
    say("There is nothing to approve here");
  }
}

function commandBar(list, label) {
  if (isReview()) {
    return decisionBar(list, label);
  }
  const command = approveCommand(list);
  return command && make("div", { class: "command" },
    make("span", { class: "command-label" }, label),
    make("code", { class: "command-text", tabIndex: 0, title: command }, command),
    button("Copy", { class: "primary", title: "Copy the command (c)", onclick: () => copyApproval(list) }));
}
