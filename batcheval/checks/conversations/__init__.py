"""Conversations: turn by turn, message by message, and as a whole."""

from batcheval.checks.conversations import conversation_checks, each_checks
from batcheval.checks.conversations.conversation_checks import *  # noqa: F403
from batcheval.checks.conversations.each_checks import *  # noqa: F403

__all__ = [*conversation_checks.__all__]
__all__ += each_checks.__all__
