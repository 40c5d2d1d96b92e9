"""JPEG: the data as an image, compressed with loss and read back."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.numeric_mask import Draw, JointMask

__all__ = ["Jpeg", "through_jpeg"]


_LEVELS = 255
_MOST_ROWS = 65_496
"""The codec takes at most 65 500 rows; this is the last multiple of its block of eight below."""


def through_jpeg(x: FloatArray, *, quality: int) -> FloatArray:
    """Mask complete records through a real JPEG codec. O(n d) time and memory."""
    from PIL import Image  # the codec loads here, not on import

    if x.size == 0:
        return x.copy()
    low = x.min(axis=0)
    width = x.max(axis=0) - low
    pixels = np.rint((x - low) / np.where(width > 0, width, 1.0) * _LEVELS).astype(np.uint8)
    decoded = np.empty_like(x)
    for a in range(0, len(x), _MOST_ROWS):
        packed = io.BytesIO()
        Image.fromarray(pixels[a : a + _MOST_ROWS]).save(packed, format="JPEG", quality=quality)
        decoded[a : a + _MOST_ROWS] = np.asarray(Image.open(packed))
    return np.asarray(np.where(width > 0, low + decoded / _LEVELS * width, x))


@dataclass(frozen=True, kw_only=True)
class Jpeg(JointMask):
    """Compress the data as a grey-scale image with loss and release what comes back.

    Each column is scaled linearly so that its smallest value becomes 0 and its largest 255; records are the rows and
    columns the columns of an image, which a JPEG codec compresses with ``quality`` and decodes; the pixels are scaled back.

    Protects by an error that depends on the eight neighbouring records and columns. Does not protect outliers: they
    stand out in the image as in the data, and their risk is higher than the average.

    Parameters
    ----------
    quality
        JPEG quality from 1 (most loss) to 100 (least loss).

    Raises
    ------
    ParameterError
        When ``quality`` is outside 1 to 100.

    Preserves
    ---------
    Nothing exactly. Values stay within the range of their column.

    Complexity
    ----------
    O(n d) time; three arrays of the size of the data.

    Notes
    -----
    The scaling is this mask's choice where the paper says "properly scaled": linear from minimum to maximum of each
    column, so even at quality 100 a value is off by up to 1/510 of the range, which for a skewed column is a lot. A
    constant column stays. Files of more than 65 496 records become several images. Records with missing values are
    compressed with those that lack the same values. The result depends on the order of records and columns, and its
    last digit on the version of the codec.

    References
    ----------
    Joint Photographic Experts Group, Standard IS 10918-1 (ITU-T T.81); Mateo-Sanz, Sebe and Domingo-Ferrer (2004), Outlier
    protection in continuous microdata masking, section 2.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = Jpeg(columns=["age", "savings"], quality=60).apply(data)
    """

    name = "jpeg"
    title = "JPEG compression"
    attacks = (
        Attack(measure="dld", knows="values came back from a JPEG of quality {quality}"),
        Attack(measure="pld", knows="values came back from a JPEG of quality {quality}"),
    )
    traits = Traits(scales={"numeric"})
    quality: Annotated[int, Interval(1, 100)] = 75

    def mask_records(self, x: FloatArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Send complete records through the codec."""
        return through_jpeg(x, quality=self.quality)
