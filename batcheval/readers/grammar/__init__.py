"""What layouts have in common: content parts, conversations, spans, JSON inside JSON."""
