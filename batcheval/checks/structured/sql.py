"""The dialects of SQL that there are, if the package that reads them is there."""

from batcheval.errors import BadArgumentError, MissingPackageError, nearest


def dialect_named(name: object) -> str:
    """The name of a dialect of sqlglot's, or "" for its own.

    Raises:
        MissingPackageError: sqlglot is not installed.
        BadArgumentError: there is no such dialect.
    """
    try:
        from sqlglot.dialects.dialect import Dialects
    except ImportError:
        raise MissingPackageError("is_sql", "sqlglot", "sql") from None
    known = [one.value for one in Dialects]
    if not isinstance(name, str) or name not in known:
        hint = nearest(str(name), known) or " such as 'postgres'"
        raise BadArgumentError("dialect", f"a dialect of sqlglot's{hint}", name)
    return name
