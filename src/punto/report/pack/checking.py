"""A submission that was kept, held against its own list of hashes, its manifest and its signature."""

from hashlib import sha256
from pathlib import Path

import msgspec

from punto.report.document import BadReport
from punto.report.evidence import Evidence, look_at, stated
from punto.report.pack.manifest import FORMAT, SUMS, Manifest, sums
from punto.report.software import software

_SIGNATURE = f"{SUMS}.sig"


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
    certificate = look_at(folder / "certificate.html")
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
    if other:
        raise BadReport(f"{folder} is not as its manifest has it: {', '.join(other)}.")


def _signed(folder: Path, found: Manifest, listed: bytes) -> str:
    """What the signature says; one that is wrong, or lost, is refused."""
    signature = folder / _SIGNATURE
    if found.signed_by is None and not signature.exists():
        return "It is not signed."
    from punto.report.pack.signing import is_signed_by

    if found.signed_by is None or not signature.exists():
        raise BadReport(f"{folder}: its manifest and its signature do not go together.")
    if not is_signed_by(found.signed_by, signature.read_bytes(), listed):
        raise BadReport(f"{folder}: {SUMS} is not signed by the key that the manifest names.")
    return f"{SUMS} is signed by the key {found.signed_by}: compare it with the issuer's as you know it."
