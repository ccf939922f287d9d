"""Whether pymongo and python-oracledb are installed, whose classes are then used.

There is another package on the index that is imported as ``bson``; it is told from pymongo's by what it lacks.
"""

from __future__ import annotations


def _pymongo() -> bool:
    try:
        from bson.codec_options import CodecOptions, DatetimeConversion  # noqa: F401
        from bson.datetime_ms import DatetimeMS  # noqa: F401
    except ImportError:
        return False
    return True


def _oracledb() -> bool:
    try:
        from oracledb import IntervalYM, JsonId, SparseVector  # noqa: F401
    except ImportError:
        return False
    return True


PYMONGO = _pymongo()
ORACLEDB = _oracledb()
