// Logging in and out, and ending sessions.

import { forget, post, request } from "./api.js";

async function changeSession(path, body) {
  await post(path, body);
  forget("/api/who");
}

export const logIn = (name, password, code) => changeSession("/api/login", { name, password, code });
export const enterAsGuest = () => changeSession("/api/guest");
export const logOut = () => changeSession("/api/logout");

/** The one-time link of the page logs in; if it was used before, what the house says to that. */
export async function useLinkOfPage() {
  const token = new URLSearchParams(location.search).get("link");
  history.replaceState(null, "", location.pathname);
  try {
    await changeSession("/api/link", { token });
  } catch (error) {
    return error;
  }
  return null;
}

/** End one of one's own sessions; it may be the present one. */
export async function endSession(id) {
  await request(`/api/sessions/${id}`, { method: "DELETE" });
  forget("/api/who");
}
