"""From scored detections to physical cards: deduplication, pairing, conflicts, hints at missed cards."""
