/* Entry point: the script of every page. It starts the modules that all pages need; modules that only some pages need are
   loaded by those pages and register themselves. Everything also works without scripts. No inline handlers, no eval. */
import { wake } from "./room.js";
import "./taps.js";
import "./keys.js";
import "./share.js";
import "./bets.js";
import "./newcomer.js";

document.addEventListener("DOMContentLoaded", wake); // by then the modules of the page have registered themselves
