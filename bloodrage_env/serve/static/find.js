// The page of a link that does not name its game: it leads to that of the game.

import { byId, capital, post } from "./dom.js";

try {
  const { data } = await post("/api/find", { token: location.hash.slice(1).split(",")[0] });
  location.replace(`/${data.game}${location.pathname}${location.hash}`);
} catch (error) {
  byId("problem").textContent = `${capital(error.message)}.`;
}
