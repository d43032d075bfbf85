"""Adds what household decks are learned from and read with to a candidate's weights:
``python -m models.export.learning_base runs/reader/weights-…``.

Takes from that folder, which the last stage of a recipe made, the state of the RoI head from which learning starts, the
relations in half precision, and how sure names and cards are; and writes the RoI head's graph, into which are put the
weights that were learned.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from models.export.calibration import write_fitted
from models.export.candidate import add_target_options, target_folder
from models.export.storage import store_fp16
from models.networks.roi_head import STATE, export_graph
from vision.recognise.roi_head import ROI_GRAPH
from vision.rescore.relation_model import CALIBRATION
from vision.rescore.relations import RELATIONS

FITTED = ("name", "there")
"""Entries of CALIBRATION that belong to the relations."""


def add_learning_base(run: Path, folder: Path) -> None:
    """Copies these files from ``run`` to ``folder``, and writes its manifest anew.

    Raises:
        FileNotFoundError: ``run`` has not all of them.
    """
    fitted = json.loads((run / CALIBRATION).read_text(encoding="utf-8"))
    contents = {name: (run / name).read_bytes() for name in (STATE, RELATIONS)}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    store_fp16(folder / RELATIONS)
    export_graph(folder / ROI_GRAPH)
    write_fitted(folder, {name: fitted[name] for name in FITTED})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of weights of the last stage of a recipe")
    add_target_options(parser)
    options = parser.parse_args()
    try:
        add_learning_base(options.run, target_folder(parser, options))
    except FileNotFoundError as error:
        parser.error(f"expected the weights of a recipe in {options.run}, found no {Path(error.filename).name}")


if __name__ == "__main__":
    main()
