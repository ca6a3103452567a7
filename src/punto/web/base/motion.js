// Motion: cards and chips that travel. Nothing depends on it, and all of it stops where the system asks for stillness.

export function isMotionReduced() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Animate an element; resolves when it has arrived, at once where nothing moves. */
export function animate(element, frames, options) {
  if (isMotionReduced() || document.hidden) return Promise.resolve();
  const animation = element.animate(frames, { easing: "cubic-bezier(.2,.7,.2,1)", ...options });
  return animation.finished.catch(() => {});
}

/** How far it is from the middle of one element to that of another: [right, down] in pixels. */
export function distance(from, to) {
  const start = from.getBoundingClientRect();
  const end = to.getBoundingClientRect();
  return [end.x + end.width / 2 - start.x - start.width / 2, end.y + end.height / 2 - start.y - start.height / 2];
}
