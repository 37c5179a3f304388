"""The key elements of texts, and how many of them another text covers."""
