from podium.results.formats.benchopt import read_benchopt as read_benchopt
from podium.results.formats.cross_validate import read_cross_validate as read_cross_validate
from podium.results.formats.openml import read_openml_evaluations as read_openml_evaluations
from podium.results.forms.array import LabelledArray as LabelledArray
from podium.results.measure_info import MeasureInfo as MeasureInfo
from podium.results.missing import MissingReport as MissingReport
from podium.results.reading import read as read
from podium.results.results import Results as Results
