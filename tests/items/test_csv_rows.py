import csv

import pytest

from counterbalance.errors import PairFileError
from counterbalance.items.csv_rows import csv_rows
from counterbalance.items.rows import pair_from_row


def pairs(text, delimiter=","):
    lines = text.splitlines(keepends=True) if "\r" not in text else text.split("\n")
    return [
        (place.line, pair_from_row(row, place))
        for place, row in csv_rows(lines, "p.csv", delimiter=delimiter)
    ]


def problem(text):
    with pytest.raises(PairFileError) as caught:
        pairs(text)
    return str(caught.value)


def test_every_column():
    ((line, pair),) = pairs(
        "id,item,messages,context,reference_answer,requirements,category,cluster,consequence,"
        "a_text,a_id,a_system,a_version,b,b_id,b_system,b_version,reference,reference_source,"
        "metadata,metadata_x\n"
        'p,i,"[{""role"": ""user"", ""content"": ""Why?""}]",c,r,'
        '"[{""id"": ""n"", ""rule"": ""absent"", ""value"": ""x""}]",k,cl,2.5,'
        "A,a1,s1,1,B,b1,s2,2,a | tie,me,anything,at all\n"
    )
    assert line == 2
    assert (pair.id, pair.item.id, pair.item.context, pair.item.reference_answer) == (
        "p",
        "i",
        "c",
        "r",
    )
    assert pair.item.messages[0].content == "Why?"
    assert pair.item.requirements[0].value == ["x"]
    assert (pair.item.category, pair.item.cluster, pair.item.consequence) == ("k", "cl", 2.5)
    assert (pair.a.text, pair.a.supplied_id, pair.a.system, pair.a.version) == (
        "A",
        "a1",
        "s1",
        "1",
    )
    assert (pair.b.text, pair.b.supplied_id, pair.b.system, pair.b.version) == (
        "B",
        "b1",
        "s2",
        "2",
    )
    assert pair.reference.accepted == {"a", "tie"}
    assert pair.reference.source == "me"


def test_lines_are_physical():
    rows = pairs('\nprompt,a,b\n\n"1\n2",x,"y\n"\n,,\nq,x,y\n')
    assert [line for line, _ in rows] == [4, 8]
    assert rows[0][1].b.text == "y\n"


def test_empty_cells_are_left_out():
    ((_, pair),) = pairs("id,item,prompt,a,b,a_id,consequence,reference,messages\n,,q,x,y,,,,\n")
    assert pair.id.startswith("pair-")
    assert pair.item.consequence == 1.0
    assert pair.reference is None


@pytest.mark.parametrize(("cell", "number"), [("high", 10.0), ("2", 2.0), ("1e2", 100.0)])
def test_consequence(cell, number):
    ((_, pair),) = pairs(f"prompt,a,b,consequence\nq,x,y,{cell}\n")
    assert pair.item.consequence == number


HEAD = "prompt,a,b\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("prompt\nx\n", ('p.csv:1: the header has one column, "prompt"; a pair file needs the '
         "columns prompt (or messages), a and b")),
        ("prompt;a;b\nx;y;z\n", ('p.csv:1: the header has one column, "prompt;a;b"; a pair file '
         "needs the columns prompt (or messages), a and b; its cells seem to be separated by "
         "semicolons")),
        ("Why?,4,5\n", ("p.csv:1: the first line must name the columns (prompt, a, b, ...), but "
         'begins with "Why?"')),
        ("prompt,a,b,\n", "p.csv:1: column 4 has no name in the header; name it or remove it"),
        ("prompt,a,b,a\n", 'p.csv:1: the column "a" stands 2 times in the header; keep one'),
        ("prompt,a,b,a_text\n", 'p.csv:1: the columns "a" and "a_text" mean the same; keep one'),
        ("prompt,a\n", "p.csv:1: the header lacks b; a pair needs a prompt and both candidates"),
        ("context,a\n", ("p.csv:1: the header lacks prompt (or messages) and b; a pair needs a "
         "prompt and both candidates")),
        (HEAD + "x,y\n", ("p.csv:2: the row has 2 cells, the header names 3 columns; put texts "
         "with separators in quotes")),
        (HEAD + 'x,"y\n1",z\nx,y,z,w\n',
         ("p.csv:4: the row has 4 cells, the header names 3 columns; "
         "put texts with separators in quotes")),
        (HEAD + 'x,y,z\nx,"y,z\n\n', ("p.csv:3: a quoted cell begins in this row and is never "
         "closed; close it with a quote")),
        (HEAD + 'x,"y"n,z\n', ("p.csv:2: is not CSV (',' expected after '\"'); write a quote "
         "inside a quoted cell twice")),
        (HEAD + "x,y,z\rx,y,w", ("p.csv:2: a carriage return stands outside quotes; end lines with "
         "LF or CRLF")),
        (HEAD + "x,,z\n", 'p.csv:2: "a" is empty; write the text'),
        ("prompt,a_text,b_text\nx,y, \n", ('p.csv:2: "b_text" holds only white space; write the '
         "text")),
        (HEAD + "x,y\0,z\n", 'p.csv:2: "a" holds U+0000 at character 2; remove it'),
        ("prompt,a,b,a_id\nx,y,z, i\n", 'p.csv:2: "a_id" begins or ends with white space:  i'),
        ("prompt,a,b,consequence\nx,y,z,nan\n", ('p.csv:2: "consequence" is the text "nan"; it '
         "must be a number of 0 or more, or low, medium, high")),
        ("prompt,a,b,consequence\nx,y,z,1e999\n", ('p.csv:2: "consequence" is the number inf; it '
         "must be a number of 0 or more, or low, medium, high")),
        ("prompt,a,b,reference\nx,y,z,a|x\n", ('p.csv:2: "reference" is the text "x" (allowed: a, '
         "b, tie, neither, insufficient, or several)")),
        ("prompt,a,b,reference,reference_source\nx,y,z,,me\n", ('p.csv:2: "reference_source" is '
         "given without a reference")),
        ("messages,a,b\n[,y,z\n", 'p.csv:2: "messages" is not JSON: Expecting value at column 2'),
        ('prompt,messages,a,b\nx,"[]",y,z\n', ('p.csv:2: "prompt" stands beside "messages"; keep '
         "one of them")),
    ],
)  # fmt: skip
def test_refused(text, expected):
    assert problem(text) == expected


def test_unknown_column():
    assert problem("prompt,a,b,contxt\n").startswith(
        'p.csv:1: "contxt" is not a known column; did you mean "context"? (known: id, item, prompt,'
    )


def test_header_only_has_no_rows():
    assert pairs(HEAD) == []
    assert pairs("") == []


def test_the_limit_of_others_is_put_back():
    limit = csv.field_size_limit()
    lines = iter([HEAD, "x,y," + "z" * 300_000 + "\n", "x,y,z,w\n"])
    rows = csv_rows(lines, "p.csv")
    next(rows)
    assert csv.field_size_limit() == limit
    with pytest.raises(PairFileError):
        next(rows)
    assert csv.field_size_limit() == limit
