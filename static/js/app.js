/* Entry point: the script of every page. It starts the modules that all pages need; modules that only some pages need are
   loaded by those pages and register themselves. Everything also works without scripts. No inline handlers, no eval. */
import { wake } from "./room.js?v=a71f1a9500";
import "./taps.js?v=1b4e7f982d";
import "./keys.js?v=b5e948ae9d";
import "./share.js?v=3e1c2fc958";
import "./bets.js?v=092427a0f5";

document.addEventListener("DOMContentLoaded", wake); // by then the modules of the page have registered themselves
