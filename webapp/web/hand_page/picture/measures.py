"""Size and colours that the parts of a picture share."""

from typing import Final

WIDTH: Final = 1200
HEIGHT: Final = 630
MIDDLE: Final = WIDTH / 2
CREAM: Final = "#fdf6e3"
PALE: Final = "#dcebe3"
