// JSON Patch (RFC 6902), as far as the house uses it: add, remove and replace. Documents are never changed themselves,
// so what was drawn from one before stays what it was.

/** A document after some operations, each on what the one before it left. */
export function patched(document, operations) {
  return operations.reduce((current, operation) => changed(current, placesOf(operation.path), operation), document);
}

/** The parts of a JSON Pointer (RFC 6901): "/most/ann~13" → ["most", "ann/3"]. */
function placesOf(path) {
  return path
    .split("/")
    .slice(1)
    .map((place) => place.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function changed(value, [place, ...rest], operation) {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (rest.length) copy[place] = changed(copy[place], rest, operation);
  else if (operation.op === "remove") removeFrom(copy, place);
  else if (operation.op === "add" && Array.isArray(copy)) copy.splice(Number(place), 0, operation.value);
  else copy[place] = operation.value;
  return copy;
}

function removeFrom(copy, place) {
  if (Array.isArray(copy)) copy.splice(Number(place), 1);
  else delete copy[place];
}
