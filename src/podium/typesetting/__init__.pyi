from podium.typesetting.table import Cell as Cell
from podium.typesetting.table import Column as Column
from podium.typesetting.table import Table as Table
