from podium.progress import Progress as Progress
from podium.running.design import EarlierTrials as EarlierTrials
from podium.running.preview import Preview as Preview
from podium.running.progress import Decided as Decided
from podium.running.progress import Tally as Tally
