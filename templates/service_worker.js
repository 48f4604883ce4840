/* Tefuda, what a browser keeps of the site: one page that says that there is no connection, and what it is drawn with.
   No hand, no list and no other answer is ever kept: cards that lie in a cache would be yesterday's cards. */
const FILES = {{ files | tojson }};
const CACHE = `tefuda-${FILES}`;
const OFFLINE = {{ offline | tojson }};
const SHELL = {{ shell | tojson }};

/* While a site is upgraded another version may answer, with a page whose files are not kept here. */
async function fetchOffline() {
  const page = await fetch(OFFLINE);
  if (!(await page.clone().text()).includes(FILES)) throw new Error("the page of another version");
  return page;
}

const offline = () => caches.match(OFFLINE, { cacheName: CACHE });

addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const page = await fetchOffline(); // first: what is not installed leaves nothing
    const cache = await caches.open(CACHE);
    await cache.addAll(SHELL);
    await cache.put(OFFLINE, page);
    await skipWaiting();
  })());
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("tefuda-") && name !== CACHE) await caches.delete(name);
    }
    await registration.navigationPreload?.enable();
    await clients.claim();
  })());
});

/* A page without a connection cannot be translated: when the language has changed, ask for the page again. */
addEventListener("message", (event) => {
  const language = event.data?.language;
  if (!language) return;
  event.waitUntil((async () => {
    const kept = await offline();
    if (!kept || kept.headers.get("Content-Language") === language) return;
    const page = await fetchOffline();
    await (await caches.open(CACHE)).put(OFFLINE, page);
  })().catch(() => {})); // no connection: with the next page
});

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await offline()) ?? Response.error();
  }
}

const still = async (request) => (await caches.match(request)) ?? fetch(request);

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (SHELL.includes(url.pathname + url.search)) event.respondWith(still(request));
});
