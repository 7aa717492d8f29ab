"""A page takes few requests: its modules and style sheets are each joined to one file."""

import re

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from serve_client import Client

from bloodrage_env import games
from bloodrage_env.serve.joined import one_script
from tests.play_page import set_up

PAGES = ("/", "/play", "/join")
MOST_REQUESTS = 12  # of the page to play on; there were 53


@pytest.mark.parametrize("game", games.all_names())
def test_a_page_has_one_script_and_one_style_sheet(tmp_path, game):
    with Client(tmp_path, game=game) as client:
        for path in PAGES:
            text = client.call("GET", path).body.decode()
            [script] = re.findall(r'<script type="module" src="([^"]+)"></script>', text)
            [style] = re.findall(r'<link rel="stylesheet" href="([^"]+)">', text)
            code = client.call("GET", f"/{script}")
            assert (code.status, code.headers["content-type"]) == (200, "text/javascript; charset=utf-8")
            assert not re.search(r"^(import|export) ", code.body.decode(), re.M)
            rules = client.call("GET", f"/{style}")
            assert rules.status == 200
            assert b"--ink:" in rules.body
            assert b"--clan-1:" in rules.body


def test_a_browser_that_has_a_file_is_not_sent_it_again(tmp_path):
    with Client(tmp_path) as client:
        for path in ("/play", "/game/play.all.js", "/game/play.all.css", "/board/board.svg"):
            first = client.call("GET", path)
            for tag in (first.headers["etag"], "W/" + first.headers["etag"]):  # compression weakens a tag
                again = client.call("GET", path, if_none_match=tag)
                assert (again.status, again.body) == (304, b"")


MODULES = {
    "game/a.js": 'import { two as double } from "../static/b.js";\nimport { one } from "./c.js";\ndouble(one);\n',
    "static/b.js": (
        'import {\n  one,\n} from "../game/c.js";\nconst own = one;\nexport async function two() { return own; }\n'
    ),
    "game/c.js": "const own = 1;\nexport const one = own;\nexport class Own {}\n",
}


def test_each_module_comes_once_after_those_that_it_imports():
    text = one_script("game/a.js", MODULES.__getitem__)
    assert re.findall(r"^// (\S+)$", text, re.M) == ["game/c.js", "static/b.js", "game/a.js"]
    assert "return { one, Own };" in text
    assert "const {two: double} = of_static_b" in re.sub(r"\{ *(.*?) *\}", r"{\1}", text)


def test_modules_that_import_each_other_are_refused():
    circle = {"game/a.js": 'import { b } from "./b.js";\n', "game/b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(ValueError, match=r"game/a\.js imports itself by game/b\.js"):
        one_script("game/a.js", circle.__getitem__)


@pytest.mark.browser
def test_the_page_to_play_on_takes_few_requests(server, page):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    set_up(page, server, 3)
    assert 5 < len(asked) <= MOST_REQUESTS
