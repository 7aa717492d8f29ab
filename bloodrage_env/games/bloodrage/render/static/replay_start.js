// Starts the page that holds its own replay.

import { Player } from "./replay.js";

const VERSION = 1;

const data = JSON.parse(document.getElementById("data").textContent);
if (data.version !== VERSION) document.body.textContent = `This page holds a replay of version ${data.version}; it reads ${VERSION}.`;
else window.player = new Player(data);
