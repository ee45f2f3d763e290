// The commands that approve: one for a check, one for many.

const APPROVE = " --approve ";

const approvable = (list) => list.filter((check) => check.approve);

// One command for all of the checks; one for each suite where they are of several.
function approveCommand(list) {
  const byCommand = new Map();
  for (const check of approvable(list)) {
    const at = check.approve.lastIndexOf(APPROVE);
    const command = at < 0 ? check.approve : check.approve.slice(0, at);
    const names = byCommand.get(command) ?? [];
    if (at >= 0) {
      names.push(check.approve.slice(at + APPROVE.length));
    }
    byCommand.set(command, names);
  }
  return [...byCommand].map(([command, names]) => [command, ...names].join(APPROVE)).join("\n");
}

function copyApproval(list) {
  const command = approveCommand(list);
  if (command) {
    copy(command, approvable(list).length > 1 ? `Command for ${plural(approvable(list).length, "check")}` : "Command");
  } else {
    say("There is nothing to approve here");
  }
}

function commandBar(list, label) {
  const command = approveCommand(list);
  return command && make("div", { class: "command" },
    make("span", { class: "command-label" }, label),
    make("code", { class: "command-text", tabIndex: 0, title: command }, command),
    button("Copy", { class: "primary", title: "Copy the command (c)", onclick: () => copyApproval(list) }));
}
