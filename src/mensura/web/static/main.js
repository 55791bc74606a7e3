// The participant's page: draws controls over plain forms, sends answers, and follows what changes.
import { open } from "./visit.js";

open(document.querySelector("main"));
