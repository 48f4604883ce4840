/* Shows the days of `time[data-zoned]` as the reader's calendar has them; without this script they are in UTC, and say so. */
function showTimes() {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" });
  for (const time of document.querySelectorAll("time[data-zoned]")) {
    time.textContent = format.format(new Date(time.dateTime));
    time.removeAttribute("data-zoned");
  }
}

showTimes();
document.addEventListener("swapped", showTimes);
