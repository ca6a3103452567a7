// A socket to the house that is opened again whenever it is lost.

const FIRST_WAIT = 250; // ms until a lost socket is opened again; each time in vain it is twice as long
const LONGEST_WAIT = 5000;
const WAIT_AFTER_DROP = 300;

/**
 * `address()` says where to connect. `onmessage(data)` hears every message, `onconnection(connected)` when the socket
 * was lost and when its first message is there, and `onclose(code, reason)` why a socket was closed.
 */
export class Socket {
  connected = false;
  #address;
  #handlers;
  #current = null;
  #attempts = 0;
  #timer = 0;
  #closing = new AbortController();

  constructor(address, handlers) {
    this.#address = address;
    this.#handlers = handlers;
    const { signal } = this.#closing;
    const wake = () => document.hidden || this.connected || this.open();
    document.addEventListener("visibilitychange", wake, { signal });
    addEventListener("online", wake, { signal });
    addEventListener("offline", () => this.drop(), { signal });
  }

  get closed() {
    return this.#closing.signal.aborted;
  }

  open() {
    clearTimeout(this.#timer);
    if (this.closed || this.#current?.readyState <= WebSocket.OPEN) return;
    const socket = new WebSocket(this.#address());
    this.#current = socket;
    socket.onmessage = (message) => {
      this.#attempts = 0;
      this.#setConnected(true);
      this.#handlers.onmessage(message.data);
    };
    socket.onclose = ({ code, reason }) => {
      if (socket !== this.#current) return;
      this.#handlers.onclose(code, reason);
      this.#lose(Math.min(FIRST_WAIT * 2 ** this.#attempts, LONGEST_WAIT));
      this.#attempts += 1;
    };
  }

  /** Whether the message could be sent. */
  send(data) {
    if (!this.connected || this.#current?.readyState !== WebSocket.OPEN) return false;
    this.#current.send(data);
    return true;
  }

  /** Give up a socket on which nothing comes any more, and open another. */
  drop() {
    if (!this.#current || this.closed) return;
    const socket = this.#current;
    this.#current = null;
    socket.onclose = null;
    socket.onmessage = null;
    socket.close();
    this.#lose(WAIT_AFTER_DROP);
  }

  close() {
    this.#closing.abort();
    clearTimeout(this.#timer);
    const socket = this.#current;
    if (!socket) return;
    // To break off a socket that is being opened would be an error in the browser's console.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  #lose(wait) {
    if (this.closed) return;
    this.#setConnected(false);
    this.#timer = setTimeout(() => this.open(), wait);
  }

  #setConnected(connected) {
    if (this.connected === connected) return;
    this.connected = connected;
    this.#handlers.onconnection(connected);
  }
}
