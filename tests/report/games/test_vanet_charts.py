from __future__ import annotations

from tacita.games.vehicles.effects import AnnouncementEffect
from tacita.report.games.vanet_charts import figures_along, lies_by_scheme, ratio_map
from tacita.report.render import svg_bytes

NAN = float("nan")


def _effect(
    ratio: float = 2.0, *, is_secure: bool = True, believed: float = 0.1, **settings: object
) -> AnnouncementEffect:
    return AnnouncementEffect(
        settings=settings, functionality=0.9, warned=0.8, crowd=5.0, entropy=2.0, listener_entropy=1.0, believed=believed,
        is_secure=is_secure, ratio=ratio, holds=None,
    )  # fmt: skip


def test_lines_leave_out_what_is_no_number() -> None:
    chart = figures_along([_effect(threshold=1, believed=NAN), _effect(threshold=2)], "threshold", title="t").to_dict()
    rows = chart["hconcat"][0]["data"]["values"]
    assert len([row for row in rows if row["figure"] == "lies believed"]) == 1
    assert len(rows) == 5


def test_the_map_says_where_there_is_none_and_where_it_is_not_secure() -> None:
    effects = [_effect(float("inf"), x=1, y=1), _effect(1.25, x=2, y=1, is_secure=False), _effect(217.0, x=3, y=1)]
    drawn = svg_bytes(ratio_map(effects, "x", "y", titles=("across", "down"))).decode("utf-8")
    assert ">none<" in drawn
    assert ">1.2 ×<" in drawn
    assert ">217<" in drawn
    assert "across" in drawn


def test_each_scheme_has_its_line() -> None:
    names = {("anonymous", "near"): "open", ("threshold", "near"): "shares"}
    effects = [_effect(malicious=m, scheme=s, attackers=a) for s, a in names for m in (0.0, 0.1)]
    drawn = svg_bytes(lies_by_scheme(effects, names)).decode("utf-8")
    assert ">open<" in drawn
    assert ">shares<" in drawn
