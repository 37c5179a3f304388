"""What scorers cost, measured on a sample of the traces."""

from batcheval.costing.measure import Cost, measure, measure_together
from batcheval.costing.rows import made_up
from batcheval.costing.ways import WAYS, Way, way_of

__all__ = ["WAYS", "Cost", "Way", "made_up", "measure", "measure_together", "way_of"]
