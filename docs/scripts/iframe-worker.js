// A browser starts no worker from a page that was opened as a file. There the search runs in a hidden frame instead, so
// that the built pages can be searched from a folder, without a server.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      this.tell = (data) => inside.dispatchEvent(new MessageEvent("message", { data }));
      this.ready = new Promise((loaded) => script.addEventListener("load", loaded));
      script.src = address;
      inside.document.body.append(script);
    }

    postMessage(data) {
      this.ready.then(() => this.tell(data));
    }
  };
}
