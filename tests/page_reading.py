"""An HTML page read back as a reader's program sees it: elements, texts, tables."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

VOID = frozenset({"meta", "link", "img", "br", "hr", "input", "rect", "line", "circle"})


@dataclass
class Element:
    """One element with what is inside."""

    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    def all(self, tag: str | None = None) -> Iterator[Element]:
        """Yield every element inside, in the order of the page."""
        for child in self.children:
            if isinstance(child, Element):
                if tag is None or child.tag == tag:
                    yield child
                yield from child.all(tag)

    def first(self, tag: str) -> Element:
        return next(self.all(tag))

    @property
    def text(self) -> str:
        parts = [child if isinstance(child, str) else child.text for child in self.children]
        return " ".join(" ".join(parts).split())

    def has_class(self, name: str) -> bool:
        return name in self.attributes.get("class", "").split()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("page", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        assert len(element.attributes) == len(attrs), f"an attribute twice on {tag}"
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read_page(html: str) -> Element:
    """Return a page; fail where elements are not closed in turn."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert len(reader.open) == 1, f"<{reader.open[-1].tag}> is not closed"
    return reader.open[0]


def outline(page: Element) -> str:
    """Return headings and captions, one line each: the structure of a page without its numbers."""
    lines = []
    for element in page.all():
        if re.fullmatch(r"h[1-6]", element.tag):
            lines.append("  " * (int(element.tag[1]) - 1) + element.text)
        elif element.tag == "table":
            heads = ", ".join(head.text for head in element.first("thead").all("th"))
            lines.append(f"      table: {element.first('strong').text} ({heads})")
        elif element.tag == "figure":
            lines.append(f"      figure: {element.first('strong').text}")
        elif element.tag == "summary":
            lines.append(f"      details: {element.text}")
    return "\n".join(lines) + "\n"
