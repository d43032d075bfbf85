"""From detections to names: each outline refined, each index classified, looked at again where that failed."""
