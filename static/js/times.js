/* Shows times in the reader's own zone and calendar: the days of `time[data-zoned]`, with the hour if that is "minute", and when the next daily deals come
   (`[data-next]`). Without this script both are in UTC, and say so. */
import { all } from "./common.js";

const MINUTE = 60_000;
const language = document.documentElement.lang;
const region = navigator.language.startsWith(`${language}-`) ? navigator.language : language; // a British reader has the day before the month
const isClose = /^(ja|zh)/.test(language); // no spaces around numbers
const clock = { timeStyle: "short", hourCycle: "h23" }; // no "12:00 AM"

function showDays() {
  const days = new Intl.DateTimeFormat(region, { dateStyle: "medium" });
  const minutes = new Intl.DateTimeFormat(region, { dateStyle: "medium", ...clock });
  for (const time of all("time[data-zoned]")) {
    const format = time.dataset.zoned === "minute" ? minutes : days;
    time.textContent = format.format(new Date(time.dateTime));
    time.removeAttribute("data-zoned");
  }
}

/* "5 h 12 min", 「5時間12分」 */
function inWords(minutes) {
  const said = (number, unit) => new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(number);
  const hours = Math.floor(minutes / 60);
  const words = [hours && said(hours, "hour"), said(minutes % 60, "minute")].filter(Boolean).join(" ");
  return isClose ? words.replace(/\s/g, "").replace(/\d(?=\D)/g, "$&\u2060") : words; // no line breaks between a number and its unit
}

function showNext() {
  for (const place of all("[data-next]")) {
    const at = new Date(place.dataset.next);
    const minutes = Math.ceil((at - Date.now()) / MINUTE);
    if (minutes < 0) continue; // the page is of yesterday
    const hour = new Intl.DateTimeFormat(region, clock).format(at);
    place.textContent = place.dataset.nextText.replace("{time}", inWords(minutes)).replace("{at}", hour);
  }
}

showDays();
showNext();
setInterval(showNext, MINUTE);
document.addEventListener("swapped", showDays);
