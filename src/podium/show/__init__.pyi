from podium.show import explorer as explorer
from podium.show import report as report
from podium.show import tables as tables
