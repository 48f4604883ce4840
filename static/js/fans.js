/* Animates the cards of a fan: they move aside for each new card when it begins to fly, not for all of them at once. */
import { placeOf } from "./cards.js?v=c9cc169843";
import { follow } from "./flight.js?v=bf16230db5";

const cardsIn = (fan) => Array.from(fan.children).filter((child) => child.matches(".card"));

/* Where the cards of a fan lie before the first of these has come, after it, and so on. */
function placesOf(fan, late) {
  late.forEach((card) => card.element.remove());
  const look = () => new Map(cardsIn(fan).map((element) => [element, placeOf(element)]));
  return [look(), ...late.map((card) => { fan.append(card.element); return look(); })];
}

/* Fans to which cards come one after another, each with its places; to be called before anything else is measured. */
export function fansOf(coming) {
  const late = coming.filter((card) => card.isNew && card.isSlow && !card.isHole);
  return Array.from(new Set(late.map((card) => card.element.parentElement)), (fan) => {
    const own = late.filter((card) => card.element.parentElement === fan);
    return { own, places: placesOf(fan, own) };
  });
}

/* Let the cards of such fans move as the others set out; each comes to where it will lie at first. Returns the animations. */
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
