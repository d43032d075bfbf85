"""Guards of files: photos, archives, weights, and what is written to disk."""

from __future__ import annotations

from tests.webui.guards.guard import Guard

ACCESS_CODE = "tests/webui/access/test_access_code.py"
ARCHIVE = "webui/storage/backup/archive.py"
ATTACKS = "tests/webui/test_attacks.py"
BAD_ARCHIVES = "tests/webui/storage/backup/test_bad_archives.py"
CLEAN_COPY = "webui/storage/backup/checks/clean_copy.py"
DECODE = "vision/images/decode.py"
IMPORT_FILES = "tests/webui/storage/backup/test_import_files.py"
IMPORT_FILES_PY = "webui/storage/backup/import_files.py"
QUEUE = "tests/webui/pages/photos/test_queue.py"
SANDBOX = "tests/vision/images/test_sandbox.py"
SANDBOX_PY = "vision/images/sandbox.py"
UNTRUSTED = "tests/webui/storage/backup/test_untrusted_archives.py"
WEIGHTS = "tests/vision/engines/test_weights.py"

GUARDS = (
    Guard(
        "file names",
        "webui/storage/files/photo_files.py",
        'hashlib.sha256(data).hexdigest()[:32] + _SUFFIXES.get(data[:2], ".bin")',
        "'x.jpg'",
        ATTACKS,
        "path_in_a_file",
    ),
    Guard(
        "pixel count",
        DECODE,
        "header.width * header.height > MAX_PIXELS",
        "False",
        f"{ATTACKS}::test_a_decompression_bomb_is_one_sentence_and_the_next_photo_is_read",
    ),
    Guard(
        "scans",
        DECODE,
        "header.scans > MAX_SCANS",
        "False",
        f"{ATTACKS}::test_a_decompression_bomb_is_one_sentence_and_the_next_photo_is_read",
        "scans",
    ),
    Guard(
        "wholeness",
        DECODE,
        'if "premature end" in complaint',
        "if False",
        "tests/vision/images/test_decode.py",
        "missing_data",
    ),
    Guard("time to decode", SANDBOX_PY, "        clock.start()\n", "", SANDBOX, "too_long"),
    Guard(
        "memory to decode", "vision/process_limits.py", "used + memory, used + memory", "-1, -1", SANDBOX, "much_memory"
    ),
    Guard("number of files in a zip", ARCHIVE, "len(data) > _CHUNK", "False", BAD_ARCHIVES, "zip_bomb and names"),
    Guard("sizes in a zip", ARCHIVE, "if any(entry.file_size > most", "if any(0 > most", BAD_ARCHIVES, "zip_bomb"),
    Guard(
        "photos of a zip",
        ARCHIVE,
        "sum(pictures) > _MAX_EXPANSION",
        "0 > _MAX_EXPANSION",
        BAD_ARCHIVES,
        "zip_bomb and photos",
    ),
    Guard(
        "disk space for a zip",
        ARCHIVE,
        "> shutil.disk_usage(work)",
        "< 0 * shutil.disk_usage(work)",
        BAD_ARCHIVES,
        "no_room",
    ),
    Guard("hash of a photo", IMPORT_FILES_PY, "not photos.is_name_of(name, data)", "False", IMPORT_FILES, "left_out"),
    Guard(
        "photo of a zip",
        IMPORT_FILES_PY,
        "except (PhotoError, zipfile.BadZipFile)",
        "except zipfile.LargeZipFile",
        IMPORT_FILES,
        "left_out",
    ),
    Guard(
        "photo by a path",
        "webui/storage/backup/checks/values.py",
        'Field(pattern=r"^\\w[\\w.-]{0,99}$")',
        "Field()",
        IMPORT_FILES,
        "bad_file",
    ),
    Guard("plain tables", CLEAN_COPY, 'if kinds != ["table"]:', "if not kinds:", UNTRUSTED, "only_plain_tables"),
    Guard("valid games", CLEAN_COPY, "check(session, ids)", "pass", UNTRUSTED, "bad_games"),
    Guard(
        "limits of the process that checks games",
        CLEAN_COPY,
        "    limit_process(int(memory), int(disk), int(seconds))",
        "    pass",
        UNTRUSTED,
        "has_an_end",
    ),
    Guard(
        "rules of agreed rounds",
        "webui/games/agreed_rules.py",
        "    if record.agreed_text is None or record.agreed_rules is None:",
        "    if True:",
        "tests/webui/pages/games/test_kept_rules.py",
        "changed_file",
    ),
    Guard(
        "results of another scoring",
        "webui/games/results/results_file.py",
        "        if found.scoring != scoring_version():",
        "        if False:",
        "tests/webui/games/test_results.py",
        "another_version",
    ),
    Guard(
        "results by their rules",
        "webui/games/results/round_results.py",
        'f"{rules.content_hash} {sheet}"',
        "sheet",
        "tests/webui/games/test_progress.py",
        "other_rules",
    ),
    Guard("metadata", SANDBOX_PY, "kept = file_to_store(pixels)", "kept = sent", QUEUE, "no_place"),
    Guard(
        "attempts to read a photo",
        "webui/storage/files/job_files.py",
        "if stored.tries < _MAX_TRIES",
        "if True",
        QUEUE,
        "left_alone",
    ),
    Guard(
        "waiting on disk",
        "webui/reading/photo_queue.py",
        "for stored in self._files.all()",
        "for stored in ()",
        QUEUE,
        "next_start",
    ),
    Guard(
        "weights",
        "vision/engines/weights.py",
        "hashlib.sha256(path.read_bytes()).hexdigest() != expected",
        "False",
        WEIGHTS,
        "altered",
    ),
    Guard(
        "file modes",
        "webui/storage/files/atomic_files.py",
        "os.O_EXCL, 0o600",
        "os.O_EXCL, 0o644",
        ACCESS_CODE,
        "owner_alone",
    ),
)
