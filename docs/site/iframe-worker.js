// A page opened as a file may not start a worker, and the search is one. Here it runs in a hidden frame instead, which
// gets and sends messages as a worker does.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = `<script>
        window.postMessage = (data) => frameElement.dispatchEvent(new MessageEvent("answer", { data }));
      </script><script src="${url}"></script>`;
      this.frame.addEventListener("answer", ({ data }) => this.dispatchEvent(new MessageEvent("message", { data })));
      this.loaded = new Promise((resolve) => this.frame.addEventListener("load", resolve, { once: true }));
      document.documentElement.append(this.frame);
    }

    async postMessage(data) {
      await this.loaded;
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
