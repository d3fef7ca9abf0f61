"""Stored pictures of screens, one file for each."""

from __future__ import annotations

from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

__all__ = ["AsPicture", "AsText"]


class AsText(SingleFileSnapshotExtension):
    """What a screen says."""

    _write_mode = WriteMode.TEXT
    _file_extension = "txt"


class AsPicture(SingleFileSnapshotExtension):
    """What it looks like."""

    _write_mode = WriteMode.TEXT
    _file_extension = "svg"
