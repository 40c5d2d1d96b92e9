"""A dump in the exact form of the Open Directory's, with its oddities, made for the tests."""

from __future__ import annotations

import gzip
from pathlib import Path

HEAD = b"""<?xml version='1.0' encoding='UTF-8' ?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">
<!-- Generated at 2010-10-24 00:03:43 EDT from DMOZ 2.0 -->
"""

STRUCTURE = """<Topic r:id="">
  <catid>1</catid>
  <d:Title>Top</d:Title>
  <lastUpdate>2010-02-01 00:00:00</lastUpdate>
  <narrow r:resource="Top/Arts"/>
  <narrow1 r:resource="Top/Sports"/>
</Topic>

<Topic r:id="Top/Arts/Movies">
  <catid>2</catid>
  <d:Title>Movies</d:Title>
  <d:Description>&lt;p&gt;Films, &lt;b&gt;cinema&lt;/b&gt; and
  directors.&lt;/p&gt;</d:Description>
  <lastUpdate>2009-12-29 12:00:00</lastUpdate>
  <narrow2 r:resource="Top/Arts/Movies/Titles"/>
  <symbolic r:resource="Film_Festivals:Top/Arts/Events/Festivals"/>
  <symbolic1 r:resource="Film_Festivals:Top/Arts/Events/Festivals"/>
  <related r:resource="Top/Arts/Television"/>
  <newsgroup r:resource="news:rec.arts.movies"/>
  <altlang r:resource="Dutch:Top/World/Nederlands/Kunst/Film"/>
  <editor r:resource="someone"/>
</Topic>
<Topic r:id="Top/Arts/Movies/Titles">
  <catid>3</catid>
  <d:Title>Titles</d:Title>
  <letterbar r:resource="Top/Arts/Movies/Titles/A"/>
  <letterbar r:resource="Top/Arts/Movies/Titles/B"/>
</Topic>
<Topic r:id="Top/Arts/Events/Festivals">
  <catid>4</catid>
  <d:Title>Festivals</d:Title>
</Topic>
<Alias r:id="Kino:Top/Arts/Movies">
  <d:Title>Kino</d:Title>
  <Target r:resource="Top/Arts/Movies"/>
</Alias>
<Topic r:id="Top/Computers/Programming/Languages/C">
  <catid>5</catid>
  <d:Title>C</d:Title>
</Topic>
</RDF>
"""


def page(topic: str | None, title: str, description: str, *, kids: bool = False) -> str:
    """One page, as the dump has it."""
    lines = [
        '<ExternalPage about="http://www.example.com/?a=1&amp;b=2">',
        f"  <d:Title>{title}</d:Title>",
        f"  <d:Description>{description}</d:Description>",
        "  <priority>1</priority>",
        "  <mediadate>2008-01-01</mediadate>",
        *([] if topic is None else [f"  <topic>{topic}</topic>"]),
        *(["  <ages>kids</ages>", "  <ages>teens</ages>"] if kids else []),
        "</ExternalPage>",
    ]
    return "\n".join(lines) + "\n"


def topic(name: str) -> str:
    """A category of the content file."""
    links = '  <link r:resource="http://a/"/>\n  <link1 r:resource="/relative"/>\n'
    return f'<Topic r:id="{name}">\n  <catid>9</catid>\n{links}</Topic>\n'


ODD_PAGES = [
    topic(""),
    topic("Top/Arts/Movies/Titles/A"),
    page(
        "Top/Arts/Movies/Titles/A", "Alien &amp; Aliens", "Science&nbsp;fiction &lt;i&gt;classics&lt;/i&gt;.", kids=True
    ),
    page("Top/Arts/Movies/Titles/B/Brazil", "Brazil", "Caf&eacute &#233; R&D &bogus; &#0;"),
    page("Top/World/Deutsch/Sport/Fußball", "FC Köln", "Verein aus Köln"),
    page("Top/World/Türkçe/Spor", "Beşiktaş", "İstanbul takımı"),
    page("Top/World", "Directories", "In many languages"),
    page("Top/Computers/Programming/Languages/C", "C FAQ", "Questions & answers"),
    page("Top/Adult/Arts", "Left out", "By default"),
    page("Top/Test/Bad", "Left out", "By default"),
    page("Top/Bookmarks/S", "Left out", "By default"),
    page("Top", "At the root", "Nowhere"),
    page("Arts/Old", "An old dump", "Without Top"),
    topic("Top/Arts/Older"),
    page(None, "Before 2003", "A page without a topic"),
    page("Top/Arts/Empty", "", ""),
    '<ExternalPage about="http://cut/">\n  <d:Title>Never closed\n  <topic>Top/Arts/Cut</topic>\n',
    page("Top/Arts/Bell", "Bell\x07 and \x00null", "control"),
]
"""What the real dump has in the way of oddities; every one has a test."""


def content(pages: int = 0) -> bytes:
    """The content file, with so many plain pages behind the odd ones."""
    plain = "".join(
        page(f"Top/Arts/Music/Style_{number % 50}", f"Song {number}", f"Chord {number % 7}") for number in range(pages)
    )
    wrong = b"  <d:Title>caf\xe9 \x93old\x94</d:Title>"
    latin = page("Top/Arts/Latin", "@", "bytes").encode().replace(b"  <d:Title>@</d:Title>", wrong)
    return HEAD + "".join(ODD_PAGES).encode() + latin + plain.encode() + b"</RDF>\n"


def write_dump(folder: Path, *, pages: int = 0, packed: bool = False) -> Path:
    """Write both files and return their folder."""
    for name, data in (("structure", HEAD + STRUCTURE.encode()), ("content", content(pages))):
        path = folder / f"{name}.rdf.u8{'.gz' if packed else ''}"
        path.write_bytes(gzip.compress(data, mtime=0) if packed else data)
    return folder
