/** The words of the director's screens: they join the catalogue when one of those screens is first looked at. */

import { CATALOGUES } from "../index.js";
import en from "./en.js";
import ru from "./ru.js";

Object.assign(CATALOGUES.en, en);
Object.assign(CATALOGUES.ru, ru);
