"""Files that were unpacked and packed again on the way, as a Mac does: all lies in a folder of the archive."""

from __future__ import annotations

import zipfile

_OF_A_MAC = "__MACOSX/"
"""What a Mac adds: notes of its own, under the names of our files."""


def without_outer_folder(archive: zipfile.ZipFile, marks: tuple[str, ...]) -> None:
    """Lets an open archive name its files as it did before it was packed again; another one stays as it is.

    Args:
        archive: the archive. Files outside the folder, and notes of a Mac, are not in it any more.
        marks: files and folders (with a slash) of which ours has one at the top.
    """
    entries = [entry for entry in archive.infolist() if not entry.filename.startswith(_OF_A_MAC)]
    if any(entry.filename.startswith(marks) for entry in entries):
        return
    inside = [entry.filename.partition("/") for entry in entries]
    folders = {folder for folder, _, rest in inside if rest.startswith(marks)}
    if len(folders) != 1:
        return
    outer = f"{folders.pop()}/"
    kept = [entry for entry in entries if entry.filename.startswith(outer) and entry.filename != outer]
    for entry in kept:  # each is found by its place, and its name there is checked by ``orig_filename``
        entry.filename = entry.filename.removeprefix(outer)
    archive.filelist[:] = kept
    archive.NameToInfo.clear()
    archive.NameToInfo.update({entry.filename: entry for entry in kept})
