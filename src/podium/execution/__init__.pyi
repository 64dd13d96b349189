from podium.execution.design import EarlierTrials as EarlierTrials
from podium.execution.preview import Preview as Preview
from podium.execution.progress import Decided as Decided
from podium.execution.progress import Tally as Tally
from podium.progress import Progress as Progress
