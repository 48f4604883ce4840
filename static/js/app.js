/* Entry point: the script of every page. It starts the modules that all pages need; modules that only some pages need are
   loaded by those pages and register themselves. Everything also works without scripts. No inline handlers, no eval. */
import { wake } from "./room.js?v=02b1cf7ded";
import "./taps.js?v=cd151b1db8";
import "./keys.js?v=850b76f041";
import "./share.js?v=3e1c2fc958";
import "./bets.js?v=092427a0f5";

document.addEventListener("DOMContentLoaded", wake); // by then the modules of the page have registered themselves
