// The order in which people sit around the table.

const STANDING = 99; // sorts those who have no box behind the boxes

/** Patrons by their boxes; those who stand come last. */
export function byBox(patrons) {
  return [...patrons].sort((one, other) => (one.box ?? STANDING) - (other.box ?? STANDING));
}
