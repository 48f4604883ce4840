/* Animates the cards of a fan: they move aside for each new card as it sets out, not for all of them at once. */
import { placeOf } from "./cards.js";
import { follow } from "./flight.js";

const whole = (pixels) => Math.round(pixels * 64) / 64; // browsers lay out in 64ths of a pixel
const cardsIn = (fan) => Array.from(fan.children).filter((child) => child.matches(".card"));

/* Where the cards of a fan lie before the last ones have come (so many of them are late), after the first of these, and so
   on. All of them are in it by now, and where fewer would lie is reckoned: each look would lay the page out. They lie
   `--step` of a card's width apart, or as near to each other as there is room for. */
export function placesOf(fan, late) {
  const cards = cardsIn(fan);
  const lying = cards.map(placeOf);
  const { left, width: room } = fan.getBoundingClientRect();
  const style = getComputedStyle(fan);
  const { width } = lying[0];
  const placesOfFirst = (count) => {
    const apart = Math.max(0, Math.min(width * style.getPropertyValue("--step"), (room - width) / (count - 1)));
    const free = style.justifyContent === "center" ? room - width - (count - 1) * apart : 0;
    return lying.slice(0, count).map(({ top, height }, nth) => ({ left: whole(left + free / 2 + nth * apart), top, width, height }));
  };
  const counts = Array.from({ length: late }, (_, nth) => cards.length - late + nth);
  return [...counts.map(placesOfFirst), lying].map((places) => new Map(places.map((place, nth) => [cards[nth], place])));
}

/* Fans to which several cards come, each with the positions at each stage. */
export function fansOf(coming) {
  const late = coming.filter((card) => card.isNew && card.isSlow && !card.isHole);
  return Array.from(new Set(late.map((card) => card.element.parentElement)), (fan) => {
    const own = late.filter((card) => card.element.parentElement === fan);
    return { own, places: placesOf(fan, own.length) };
  });
}

/* Move the cards of these fans as each new card sets out. Returns the animations. */
export function spread(fans, staying, coming) {
  return fans.flatMap(({ own, places }) => Array.from(places.at(-1), ([element, last]) => {
    const stays = staying.find((card) => card.element === element);
    const comes = coming.find((card) => card.element === element);
    const first = Math.max(0, own.findIndex((card) => card.element === element) + 1);
    if (comes) comes.place = places[first].get(element);
    const way = places.slice(first).map((stage, nth) => ({ place: stage.get(element), at: own[first + nth - 1]?.at ?? 0 }));
    return follow(element, [{ place: stays?.from ?? way[0].place, at: 0 }, ...way], last);
  }));
}
