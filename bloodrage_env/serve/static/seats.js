// The seats of this browser, each kept up to date by a request that waits for news.

import { post, request } from "./dom.js";

const WAIT = 20; // seconds that the server may let a request wait
const RETRY = 1500; // milliseconds after a request that failed

export class Seat {
  /** `changed(seat)` is called with each new view, `troubled(error)` when the server can't be reached (null: again). */
  constructor(token, changed, troubled) {
    this.headers = { Authorization: `Bearer ${token}` };
    this.changed = changed;
    this.troubled = troubled;
    this.tag = "";
    this.view = null;
  }

  take(response, view) {
    const tag = response.headers.get("ETag");
    if (tag === this.tag) return;
    this.tag = tag;
    this.view = view;
    this.changed(this);
  }

  async follow() {
    for (;;) {
      const news = this.tag ? { "If-None-Match": this.tag, Prefer: `wait=${WAIT}` } : {};
      try {
        const { response, data } = await request("/api/seat", { headers: { ...this.headers, ...news } });
        this.troubled(null);
        if (data) this.take(response, data);
      } catch (error) {
        this.troubled(error);
        if (error.status === 401 || error.status === 410) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY));
      }
    }
  }

  async send(what, content) {
    const { response, data } = await post(`/api/seat/${what}`, content, this.headers);
    this.take(response, data);
  }

  answer(number, action) {
    return this.send("answer", { number, action });
  }

  undo(number) {
    return this.send("undo", { number });
  }

  async replay() {
    const response = await fetch("/api/seat/replay", { headers: this.headers });
    if (!response.ok) throw new Error((await response.json()).error);
    return response.blob();
  }
}
