"""All assets in one file, small enough to carry to a machine without network and packages."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.arrays import Cutout
from datasets.assets.manifest import Asset, AssetsError, check

LOSSLESS = 101
"""Quality above which OpenCV writes WebP without loss."""


def pack(assets: Sequence[Asset], folder: Path, target: Path) -> Path:
    """Packs the ``assets`` of ``folder`` into the zip file ``target``, pictures as lossless WebP; returns ``target``.

    Raises:
        AssetsError: some are missing or differ.
    """
    check(assets, folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("manifest.jsonl", "".join(json.dumps(asdict(asset)) + "\n" for asset in assets))
        for asset in assets:
            if asset.kind != "deck":
                archive.write(asset.path(folder), f"fonts/{asset.name}")
                continue
            with np.load(asset.path(folder)) as pictures:
                for key in pictures.files:
                    # two files: WebP does not keep colours where alpha is 0
                    colours = np.ascontiguousarray(pictures[key][:, :, :3])
                    _add(archive, f"decks/{asset.name}/{key}.webp", colours, [cv2.IMWRITE_WEBP_QUALITY, LOSSLESS])
                    _add(archive, f"decks/{asset.name}/{key}.png", np.ascontiguousarray(pictures[key][:, :, 3]), [])
    return target


def _add(archive: zipfile.ZipFile, name: str, picture: NDArray[np.uint8], options: list[int]) -> None:
    encoded = cv2.imencode(Path(name).suffix, picture, options)[1].tobytes()
    archive.writestr(zipfile.ZipInfo(name), encoded)


def unpack(archive_path: Path, folder: Path) -> None:
    """Unpacks an archive of ``pack`` into the assets folder ``folder``; files that are there are kept.

    Raises:
        AssetsError: the file is no such archive.
    """
    try:
        with zipfile.ZipFile(archive_path) as archive:
            lines = archive.read("manifest.jsonl").decode().splitlines()
            for asset in (Asset(**json.loads(line)) for line in lines):
                path = asset.path(folder)
                if path.exists():
                    continue
                path.parent.mkdir(parents=True, exist_ok=True)
                if asset.kind == "deck":
                    np.savez(path, allow_pickle=False, **_cells(archive, asset.name))
                else:
                    path.write_bytes(archive.read(f"fonts/{asset.name}"))
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise AssetsError(
            f"expected an archive of assets in {archive_path}, it cannot be read: make it again "
            "(python -m models.pipeline archive)"
        ) from error


def _cells(archive: zipfile.ZipFile, deck: str) -> dict[str, Cutout]:
    start, cells = f"decks/{deck}/", {}
    for name in archive.namelist():
        if name.startswith(start) and name.endswith(".webp"):
            colours = cv2.imdecode(np.frombuffer(archive.read(name), np.uint8), cv2.IMREAD_COLOR)
            alpha_file = archive.read(name.removesuffix(".webp") + ".png")
            alpha = cv2.imdecode(np.frombuffer(alpha_file, np.uint8), cv2.IMREAD_GRAYSCALE)
            if colours is None or alpha is None:
                raise KeyError(name)
            cells[name.removeprefix(start).removesuffix(".webp")] = np.dstack([colours, alpha]).astype(np.uint8)
    return cells
