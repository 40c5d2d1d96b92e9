"""Attacks on synthetic data: who was in the data, what a candidate keeps secret, who is singled out, who belongs to whom.

In come a synthetic file, the generator as a callable, candidates and other people; out come claims. Read ``closest_record.py``
first, then ``shadow_membership.py``.
"""

from tacita.attack.synthetic.attribute_cap import AttributeCap
from tacita.attack.synthetic.closest_record import ClosestRecord
from tacita.attack.synthetic.linkability import Linkability
from tacita.attack.synthetic.shadow_attribute import ShadowAttribute
from tacita.attack.synthetic.shadow_membership import ShadowMembership
from tacita.attack.synthetic.singling_out import SinglingOut

__all__ = ["AttributeCap", "ClosestRecord", "Linkability", "ShadowAttribute", "ShadowMembership", "SinglingOut"]
