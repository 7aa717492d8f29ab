// The page of a replay in a file of its own.

import { Player } from "./replay.js";

window.player = new Player(JSON.parse(document.getElementById("data").textContent));
