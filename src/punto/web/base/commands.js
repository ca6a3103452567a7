// Buttons that give a command. A refusal stands beside the button; nothing blocks the page.

import { smallButton, whileWaiting } from "./dom.js";
import { attempt } from "./notes.js";

/** Give a command; a refusal stands beside an element. Resolves to the answer, or null. */
export function giveCommand(table, command, beside) {
  return attempt(beside, table.view.book, () => table.give(command));
}

/** A button that does something which may be refused. It waits for the answer. */
export function actionButton(table, text, action, properties) {
  const pressed = () => whileWaiting(made, () => attempt(made.parentElement, table.view.book, action));
  const made = smallButton(text, pressed, properties);
  return made;
}

/** A button that gives a command. */
export function commandButton(table, text, command, properties) {
  return actionButton(table, text, () => table.give(command), properties);
}
