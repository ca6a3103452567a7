"""A submission that was kept, held against its own list of hashes, its manifest and its signature."""

from hashlib import sha256
from pathlib import Path

import msgspec

from punto.report.document import BadReport
from punto.report.evidence import Evidence, look_at, stated
from punto.report.pack.manifest import FORMAT, SUMS, Manifest, sums
from punto.report.software import software

_SIGNATURE = f"{SUMS}.sig"
_KEY = "issuer.pem"
_CERTIFICATE = "certificate.html"
_BESIDE = {"manifest.pdf", "manifest.html", "manifest.json", _KEY}
"""Files that the list of hashes names, and the manifest does not."""


def look_at_pack(folder: Path) -> Evidence:
    """Tell what a submission still shows; one in which a file was changed, added or lost is refused."""
    try:
        found = msgspec.json.decode((folder / "manifest.json").read_bytes(), type=Manifest)
        listed = (folder / SUMS).read_bytes()
    except FileNotFoundError as missing:
        raise BadReport(f"{folder} is no submission: {Path(str(missing.filename)).name} is not there.") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadReport(f"{folder} holds no manifest of a submission: {error}.") from None
    if found.format != FORMAT:
        raise BadReport(f"{folder} is a submission of another form, {found.format}, which this release does not read.")
    _check_files(folder, found, listed)
    certificate = look_at(folder / _CERTIFICATE)
    if not {found.rulebook_sha256, found.software.digest} <= {*certificate.digests}:
        raise BadReport(f"{folder}: its manifest names another rulebook or software than its certificate.")
    about = stated([found.rulebook_sha256, found.software.digest], (), folder / "manifest.json")
    own = software().digest == found.software.digest
    made = (
        f"It was made by this very software. To make it again: {found.commands[0]}"
        if own
        else f"It was made by another release, {found.software.name} {found.software.version}."
    )
    says = (
        f"{len(found.files)} files are as the manifest and {SUMS} have them, and no other is there.",
        _signed(folder, found, listed),
        about.says[0],
        made,
    )
    return Evidence("submission", says, certificate.digests, certificate.repeats)


def _check_files(folder: Path, found: Manifest, listed: bytes) -> None:
    folders = sorted(each.name for each in folder.iterdir() if not each.is_file())
    if folders:
        raise BadReport(f"{folder} is not as {SUMS} has it: {', '.join(folders)}.")
    held = {each.name: each.read_bytes() for each in sorted(folder.iterdir())}
    held.pop(_SIGNATURE, None)
    held.pop(SUMS, None)
    if sums(held) != listed:
        lines, written = set(sums(held).decode().splitlines()), set(listed.decode(errors="replace").splitlines())
        names = sorted({line[64:].strip() for line in lines ^ written})
        raise BadReport(f"{folder} is not as {SUMS} has it: {', '.join(names) or 'its lines are in another order'}.")
    digests = {name: sha256(content).hexdigest() for name, content in held.items()}
    other = [name for name, digest in found.files.items() if digests.get(name) != digest]
    other += [name for name in digests if name not in found.files and name not in _BESIDE]
    if other:
        raise BadReport(f"{folder} is not as its manifest has it: {', '.join(other)}.")
    if _CERTIFICATE not in found.files:
        raise BadReport(f"{folder} is no whole submission: {_CERTIFICATE} is not among its files.")
    if found.rulebook_sha256 not in found.files.values():
        raise BadReport(f"{folder} is no whole submission: the rulebook of its manifest is not among its files.")


def _signed(folder: Path, found: Manifest, listed: bytes) -> str:
    """What the signature says; one that is wrong, or lost, is refused."""
    signature, key = folder / _SIGNATURE, folder / _KEY
    if found.signed_by is None and not signature.exists() and not key.exists():
        return "It is not signed: whoever can write to the folder could have made it, or its lists, anew."
    from punto.report.pack.signing import is_signed_by, pem_of

    if found.signed_by is None or not signature.exists():
        raise BadReport(f"{folder}: its manifest and its signature do not go together.")
    if not key.exists() or key.read_bytes() != pem_of(found.signed_by):
        raise BadReport(f"{folder}: {_KEY} is not the key that the manifest names.")
    if not is_signed_by(found.signed_by, signature.read_bytes(), listed):
        raise BadReport(f"{folder}: {SUMS} is not signed by the key that the manifest names.")
    return f"{SUMS} is signed by the key {found.signed_by}: compare it with the issuer's as you know it."
