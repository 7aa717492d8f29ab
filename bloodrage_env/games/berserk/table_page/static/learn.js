// The page to learn Berserk.

import { learn } from "../static/learn.js";
import { tile } from "./cards.js";
import { picture } from "./pictures.js";

learn({ tile, picture });
