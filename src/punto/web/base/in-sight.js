// What is out of sight is not drawn: elements are watched, and told when they come near the screen or leave it.

const NEAR = "400px"; // what is about to be scrolled to is drawn already

/** Watch elements; `changed(element, isInSight)` is called for each at once, and whenever that changes. */
export function watchSight(changed) {
  const observer = new IntersectionObserver(
    (found) => {
      for (const { target, isIntersecting } of found) changed(target, isIntersecting);
    },
    { rootMargin: NEAR },
  );
  return observer;
}
