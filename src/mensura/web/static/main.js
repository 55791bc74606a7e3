// The participant's page: draws controls over plain forms, sends answers, and follows what changes.
import { forget } from "./draft.js";
import { open } from "./visit.js";

const main = document.querySelector("main");
if (main.dataset.kind === "withdrawn") forget(main.dataset.link);
open(main);
