"""The exceptions.

Those of BSON are pymongo's as well where it is installed, so that code which catches ``bson.errors.InvalidBSON`` goes on
working.
"""

from __future__ import annotations

from boson._peers import PYMONGO


class BosonError(Exception):
    """What every exception of this package is."""


class DecodeError(BosonError, ValueError):
    """Bytes that are not a document of their format."""

    def __init__(self, message: str, offset: int = 0, path: str = "$") -> None:
        super().__init__(message, offset, path)
        #: Bytes before the fault.
        self.offset = offset
        #: The value that was being read, ``$.a.b[1]``.
        self.path = path

    def __str__(self) -> str:
        return str(self.args[0])


class EncodeError(BosonError, ValueError):
    """A document that the format cannot hold."""

    def __init__(self, message: str, path: str = "$") -> None:
        super().__init__(message, path)
        #: The value that cannot be written, ``$.a.b[1]``.
        self.path = path

    def __str__(self) -> str:
        return str(self.args[0])


class UnsupportedTypeError(EncodeError, TypeError):
    """A value of a type that the format has nothing for."""

    def __init__(self, message: str, path: str = "$", type: type | None = None) -> None:
        BosonError.__init__(self, message, path, type)
        self.path = path
        #: The type of the value.
        self.type = type


class OutOfRangeError(EncodeError, OverflowError):
    """A number that is too large for its type."""


class TooDeepError(EncodeError, RecursionError):
    """Containers inside containers beyond the limit, or inside themselves."""


class ConvertError(BosonError, ValueError):
    """A document that cannot be carried over to another format."""


if PYMONGO:
    from bson import errors as _errors

    class InvalidBSON(DecodeError, _errors.InvalidBSON):
        """Bytes that are not BSON."""

    class InvalidDocument(EncodeError, _errors.InvalidDocument):
        """A document that BSON cannot hold."""

        def __init__(self, message: str, path: str = "$") -> None:
            EncodeError.__init__(self, message, path)
            self._document: object = False

    class TooDeepBsonError(TooDeepError, InvalidDocument):
        """The same, of BSON."""

    class UnsupportedBsonTypeError(UnsupportedTypeError, _errors.InvalidDocument):
        """A value of a type that BSON has nothing for."""

        def __init__(self, message: str, path: str = "$", type: type | None = None) -> None:
            UnsupportedTypeError.__init__(self, message, path, type)
            self._document: object = False

else:

    class InvalidBSON(DecodeError):  # type: ignore[no-redef]
        """Bytes that are not BSON."""

    class InvalidDocument(EncodeError):  # type: ignore[no-redef]
        """A document that BSON cannot hold."""

    class TooDeepBsonError(TooDeepError, InvalidDocument):  # type: ignore[no-redef]
        """The same, of BSON."""

    class UnsupportedBsonTypeError(UnsupportedTypeError):  # type: ignore[no-redef]
        """A value of a type that BSON has nothing for."""
