// The rooms of the office, in the order of the navigation.
import { mail } from "./mail.js";
import { schedule } from "./schedule.js";
import { rooms } from "./rooms.js";
import { vendors } from "./vendors.js";
import { orders } from "./orders.js";
import { site } from "./site.js";
import { briefing } from "./briefing.js";
import { manual } from "./manual.js";
import { notes } from "./notes.js";
import { assistant } from "./assistant.js";

export const views = [mail, schedule, rooms, vendors, orders, site, briefing, assistant, notes, manual];
