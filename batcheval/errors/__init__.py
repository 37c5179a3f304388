"""Every exception that batcheval raises on purpose.

One class per mistake, all under `BatchevalError`. The class words the message, the caller passes
the facts. The command line prints the message as one line and ends with the class's `exit_code`.
"""

from batcheval.errors import (
    agreeing,
    base,
    checks,
    cluster,
    comparing,
    explaining,
    gates,
    layouts,
    reports,
    scores,
    stores,
    suggesting,
    suite,
    traces,
)
from batcheval.errors.agreeing import *  # noqa: F403
from batcheval.errors.base import *  # noqa: F403
from batcheval.errors.checks import *  # noqa: F403
from batcheval.errors.cluster import *  # noqa: F403
from batcheval.errors.comparing import *  # noqa: F403
from batcheval.errors.explaining import *  # noqa: F403
from batcheval.errors.gates import *  # noqa: F403
from batcheval.errors.layouts import *  # noqa: F403
from batcheval.errors.reports import *  # noqa: F403
from batcheval.errors.scores import *  # noqa: F403
from batcheval.errors.stores import *  # noqa: F403
from batcheval.errors.suggesting import *  # noqa: F403
from batcheval.errors.suite import *  # noqa: F403
from batcheval.errors.traces import *  # noqa: F403

__all__: list[str] = []
__all__ += agreeing.__all__
__all__ += base.__all__
__all__ += checks.__all__
__all__ += cluster.__all__
__all__ += comparing.__all__
__all__ += gates.__all__
__all__ += explaining.__all__
__all__ += layouts.__all__
__all__ += reports.__all__
__all__ += scores.__all__
__all__ += suggesting.__all__
__all__ += stores.__all__
__all__ += suite.__all__
__all__ += traces.__all__
