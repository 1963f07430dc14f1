/** What the one who is signed in may do here: screens offer no more. The service judges by the same roles. */

import { me } from "./api.js";
import { club } from "./players.js";

const is = (...roles) => () => roles.includes(me.value?.role);

export const administers = is("admin");
/** Records tables, and opens evenings. */
export const records = is("recorder", "director");
/** Rules on disputes and corrects. */
export const rules = is("director");
export const audits = is("director", "auditor");
/** Is told what a record proves against itself: who audits, and the recorder of a club that has decided so. */
export const learns = () => audits() || (is("recorder")() && Boolean(club.value?.settings?.findings_for_recorder));
/** Signs and disputes on a device of his own, of the evenings that he sat at. */
export const plays = is("player");
/** May read who did what, and take a bundle along; a player of the evenings that he sat at. */
export const traces = is("director", "auditor", "player");
export const receives = is("director", "auditor", "player", "recorder");
/** May raise a dispute: whoever enters something at the table. */
export const speaks = is("director", "recorder", "player");
/** May add a player to the club. */
export const adds = is("recorder", "director", "admin");
/** May have a checkpoint signed. */
export const seals = is("director", "admin", "auditor");
