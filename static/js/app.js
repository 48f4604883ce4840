/* The one script of every page, at a table for one and at one that people share. It starts the parts that all pages have;
   what only some pages need is plugged into it by them. A module; everything also works without it. No inline handlers, no
   eval. */
import { wake } from "./room.js?v=bc82439363";
import "./taps.js?v=ad278c9648";
import "./keys.js?v=d673d0af71";
import "./share.js?v=69baa4257c";
import "./bets.js?v=c5e732cbf1";

document.addEventListener("DOMContentLoaded", wake); // what the page plugs in is there by then
