// The page to learn Blood Rage.

import { learn } from "../static/learn.js";
import { tile } from "../static/tiles.js";
import { drawings, picture } from "./pictures.js";

drawings().then(() => learn({ tile, picture }));
