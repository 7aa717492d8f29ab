"""Pages, scripts and JSON are compressed for a browser that takes gzip."""

import gzip

import pytest

pytest.importorskip("starlette")

from serve_client import Client

PATHS = ("/", "/play", "/join", "/static/style.css", "/static/table.js", "/api/texts", "/api/agents", "/api/seat")


@pytest.fixture
def client(tmp_path):
    with Client(tmp_path) as client:
        yield client


@pytest.mark.parametrize("path", PATHS)
def test_the_content_is_the_same_in_fewer_bytes(client, path):
    token = client.new_game(None, "random")[0]
    plain = client.call("GET", path, token=token)
    packed = client.call("GET", path, token=token, accept_encoding="gzip")
    assert plain.status == packed.status == 200
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(packed.body) == plain.body if "content-encoding" in packed.headers else len(plain.body) < 500
    assert len(packed.body) < 0.6 * len(plain.body) or len(plain.body) < 500
    assert packed.headers.get("vary") == ("Accept-Encoding" if "content-encoding" in packed.headers else None)


def test_news_are_asked_for_by_the_tag_of_a_compressed_view(client):
    token = client.new_game(None, "random")[0]
    tag = client.call("GET", "/api/seat", token=token, accept_encoding="gzip").headers["etag"]
    again = client.call("GET", "/api/seat", token=token, accept_encoding="gzip", if_none_match=tag)
    assert (again.status, again.body) == (304, b"")
