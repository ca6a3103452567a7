// What this browser keeps between visits. Where it may not keep anything, it is kept while the page is open.

const whileOpen = new Map();

export const storage = {
  get(key) {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return whileOpen.get(key) ?? null;
    }
  },
  set(key, value) {
    whileOpen.set(key, value);
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // the browser allows no storage
    }
  },
};
