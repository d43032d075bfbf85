"""Guards of files: photos, archives, weights, and what is written to disk."""

from __future__ import annotations

from tests.webui.guards.guard import Guard

ACCESS_CODE = "tests/webui/access/test_access_code.py"
ATTACKS = "tests/webui/test_attacks.py"
IMPORT_FILES = "tests/webui/storage/backup/test_import_files.py"
UNTRUSTED = "tests/webui/storage/backup/test_untrusted_archives.py"
BAD_ARCHIVES = "tests/webui/storage/backup/test_bad_archives.py"
QUEUE = "tests/webui/pages/photos/test_queue.py"
SANDBOX = "tests/vision/images/test_sandbox.py"
WEIGHTS = "tests/vision/engines/test_weights.py"

GUARDS = (
    Guard(
        name="file names",
        file="webui/storage/files/photo_files.py",
        code='_hash(data) + _SUFFIXES.get(data[:2], ".bin")',
        replacement="'x.jpg'",
        tests=ATTACKS,
        select="path_in_a_file",
    ),
    Guard(
        name="pixel count",
        file="vision/images/decode.py",
        code="header.width * header.height > MAX_PIXELS",
        replacement="False",
        tests=f"{ATTACKS}::test_a_decompression_bomb_is_one_sentence_and_the_next_photo_is_read",
    ),
    Guard(
        name="scans",
        file="vision/images/decode.py",
        code="header.scans > MAX_SCANS",
        replacement="False",
        tests=f"{ATTACKS}::test_a_decompression_bomb_is_one_sentence_and_the_next_photo_is_read",
        select="scans",
    ),
    Guard(
        name="wholeness",
        file="vision/images/decode.py",
        code='if "premature end" in complaint',
        replacement="if False",
        tests="tests/vision/images/test_decode.py",
        select="missing_data",
    ),
    Guard(
        name="time to decode",
        file="vision/images/sandbox.py",
        code="        clock.start()\n",
        replacement="",
        tests=SANDBOX,
        select="too_long",
    ),
    Guard(
        name="memory to decode",
        file="vision/images/sandbox.py",
        code="used + memory, used + memory",
        replacement="-1, -1",
        tests=SANDBOX,
        select="much_memory",
    ),
    Guard(
        name="number of files in a zip",
        file="webui/storage/backup/archive.py",
        code="len(data) > _CHUNK",
        replacement="False",
        tests=BAD_ARCHIVES,
        select="zip_bomb and names",
    ),
    Guard(
        name="sizes in a zip",
        file="webui/storage/backup/archive.py",
        code="            if entry.file_size >",
        replacement="            if 0 >",
        tests=BAD_ARCHIVES,
        select="zip_bomb",
    ),
    Guard(
        name="photos of a zip",
        file="webui/storage/backup/archive.py",
        code="photo_bytes > _MAX_EXPANSION",
        replacement="0 > _MAX_EXPANSION",
        tests=BAD_ARCHIVES,
        select="zip_bomb and photos",
    ),
    Guard(
        name="disk space for a zip",
        file="webui/storage/backup/archive.py",
        code="> shutil.disk_usage(work)",
        replacement="< 0 * shutil.disk_usage(work)",
        tests=BAD_ARCHIVES,
        select="no_room",
    ),
    Guard(
        name="hash of a photo",
        file="webui/storage/backup/import_files.py",
        code="not photos.is_name_of(name, data)",
        replacement="False",
        tests=IMPORT_FILES,
        select="left_out",
    ),
    Guard(
        name="photo of a zip",
        file="webui/storage/backup/import_files.py",
        code="except (PhotoError, *UNREADABLE)",
        replacement="except UNREADABLE",
        tests=IMPORT_FILES,
        select="left_out",
    ),
    Guard(
        name="photo by a path",
        file="webui/storage/backup/checks/values.py",
        code=r'Field(pattern=r"^\w[\w.-]{0,99}$")',
        replacement="Field()",
        tests=IMPORT_FILES,
        select="bad_file",
    ),
    Guard(
        name="plain tables",
        file="webui/storage/backup/checks/clean_copy.py",
        code='if kinds != [("table", True, True)]:',
        replacement="if not kinds:",
        tests=UNTRUSTED,
        select="only_plain_tables",
    ),
    Guard(
        name="valid games",
        file="webui/storage/backup/checks/clean_copy.py",
        code="ArchivedGame.model_validate(_game(new, game_id))",
        replacement="pass",
        tests=UNTRUSTED,
        select="bad_games",
    ),
    Guard(
        name="limits of the process that checks games",
        file="webui/storage/backup/checks/confined.py",
        code="    _confine(int(memory), int(disk))",
        replacement="    pass",
        tests=UNTRUSTED,
        select="has_an_end",
    ),
    Guard(
        name="rules of agreed rounds",
        file="webui/games/agreed_rules.py",
        code="    if record.agreed_sheet is None or record.agreed_rules is None:",
        replacement="    if True:",
        tests="tests/webui/pages/games/test_kept_rules.py",
        select="changed_file",
    ),
    Guard(
        name="metadata",
        file="vision/images/sandbox.py",
        code="kept = file_to_store(pixels)",
        replacement="kept = sent",
        tests=QUEUE,
        select="no_place",
    ),
    Guard(
        name="attempts to read a photo",
        file="webui/storage/files/job_files.py",
        code="if stored.tries < _MAX_TRIES",
        replacement="if True",
        tests=QUEUE,
        select="left_alone",
    ),
    Guard(
        name="waiting on disk",
        file="webui/reading/photo_queue.py",
        code="for stored in self._files.all()",
        replacement="for stored in ()",
        tests=QUEUE,
        select="next_start",
    ),
    Guard(
        name="weights",
        file="vision/engines/weights.py",
        code="hashlib.sha256(path.read_bytes()).hexdigest() != expected",
        replacement="False",
        tests=WEIGHTS,
        select="altered",
    ),
    Guard(
        name="pickles",
        file="vision/engines/ultralytics_detector.py",
        code="weights.suffix.lower() in _PICKLED",
        replacement="False",
        tests=WEIGHTS,
        select="pickle",
    ),
    Guard(
        name="file modes",
        file="webui/storage/files/atomic_files.py",
        code="os.O_EXCL, 0o600",
        replacement="os.O_EXCL, 0o644",
        tests=ACCESS_CODE,
        select="owner_alone",
    ),
)
