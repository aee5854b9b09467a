"""Whatever is wrong with a log, ``audit`` says where and what in one line, or counts it."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from commands import command_here, is_one_clear_line
from foreign_logs import fastchat_row, jsonl

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [fastchat_row(question, "model_1", "model_2") for question in range(20)]
MAP = """
[columns]
item = "q"
first = "one"
second = "two"
verdict = "won"
[verdict]
first = ["A"]
second = ["B"]
"""
LIMIT = 320 << 20
"""Bytes of address space; the program alone takes two thirds."""
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv.pop(1)),) * 2)
from counterbalance.cli.main import main
main()
"""


def refused(*words: object) -> str:
    ended = command_here("audit", *words)
    assert ended.code == 2, ended
    assert is_one_clear_line(ended), ended
    return ended.err


def audited(*words: object) -> dict[str, Any]:
    ended = command_here("audit", *words, "--json")
    assert ended.code == 0, ended.err
    value: dict[str, Any] = json.loads(ended.out)
    return value


def rejects(value: dict[str, Any]) -> list[tuple[int, str]]:
    return [(each["line"], each["reason"]) for each in value["rejects"]]


def n_pairs(value: dict[str, Any]) -> int:
    pairs: int = value["groups"][0]["counts"]["pairs"]
    return pairs


def test_an_unknown_format_names_what_is_missing_from_the_nearest(tmp_path: Path) -> None:
    row = {key: value for key, value in ROWS[0].items() if key != "g2_winner"}
    said = refused(jsonl(tmp_path / "log.jsonl", [row]))
    assert "is of no known format: json_lines with g1_judgment," in said
    assert "nearest is fastchat-pair, which also has g2_winner" in said
    assert "`counterbalance import --map-help`" in said


def test_one_shared_key_makes_no_format_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    path.write_text('{"source": "x", "items": []}')
    assert "nearest" not in refused(path)


def test_several_formats_in_one_folder_are_named_and_one_can_be_chosen(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", ROWS)
    vote = {"question_id": 1, "model_a": "x", "model_b": "y", "winner": "model_a", "tstamp": 1.0}
    vote |= {"judge": "arena_user_1", "turn": 1, "anony": True, "language": "English"}
    jsonl(tmp_path / "b.jsonl", [vote])
    said = refused(tmp_path)
    assert "the files are of several formats: fastchat-pair (1, such as" in said
    assert "choose one with --format NAME" in said
    chosen = audited(tmp_path, "--format", "fastchat-pair")
    assert [file["rows"] for file in chosen["source"]["files"]] == [20]
    assert [other["name"][-7:] for other in chosen["other_files"]] == ["b.jsonl"]


def test_a_gzip_that_was_cut_behind_its_first_rows_is_refused(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "log.jsonl.gz", ROWS * 100)
    path.write_bytes(path.read_bytes()[:-100])
    assert "log.jsonl.gz: the compressed file ends too soon; fetch it again" in refused(path)


def test_a_damaged_gzip_is_refused(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "log.jsonl.gz", ROWS)
    content = bytearray(path.read_bytes())
    content[-6] ^= 255  # the checksum
    path.write_bytes(content)
    assert "log.jsonl.gz: the compressed file is damaged" in refused(path)


def test_broken_lines_in_the_middle_are_counted(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "log.jsonl", ROWS)
    lines = path.read_bytes().split(b"\n")
    lines[3] = lines[3][:40]
    lines[7] = lines[7].replace(b"gpt-4", "gpt-é".encode("latin-1"))
    lines[9] = b"[1, 2]"
    path.write_bytes(b"\n".join(lines))
    value = audited(path)
    assert rejects(value) == [
        (4, "the line is not JSON"),
        (10, "the row is no object"),
    ]
    assert [each["count"] for each in value["rejects"]] == [2, 1]
    assert n_pairs(value) == len(ROWS) - 3


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_in_another_encoding_is_refused(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes("\n".join(json.dumps(row) for row in ROWS).encode(encoding))
    assert "log.jsonl: " in refused(path)


def test_rows_of_a_table_that_are_not_utf8_are_counted(tmp_path: Path) -> None:
    mapping, table = tmp_path / "map.toml", tmp_path / "log.csv"
    mapping.write_text(MAP)
    lines = ["q,one,two,won", "1,x,y,A", "1,y,x,B", "2,Zürich,y,A", "2,y,x,A"]
    table.write_bytes("\n".join(lines).encode("latin-1"))
    value = audited(table, "--map", mapping)
    assert rejects(value) == [(4, "the row is not UTF-8")]
    assert n_pairs(value) == 2
    table.write_bytes("\n".join(lines).encode("utf-16"))
    assert "log.csv: is not UTF-8; save it as UTF-8" in refused(table, "--map", mapping)


def test_winners_outside_the_scale_are_counted(tmp_path: Path) -> None:
    rows = [*ROWS, ROWS[0] | {"question_id": 90, "g1_winner": "model_3"}]
    value = audited(jsonl(tmp_path / "log.jsonl", rows))
    assert rejects(value) == [(21, "the winner is none of model_1, model_2, tie, error")]
    group = value["groups"][0]
    assert group["dispositions"]["incomplete"] == 1
    assert group["incomplete_reasons"] == {"rejected": 1}


def test_rows_that_contradict_each_other_leave_no_verdict(tmp_path: Path) -> None:
    rows = [*ROWS, ROWS[0] | {"g1_winner": "tie"}]
    for given in (rows, rows[::-1]):
        value = audited(jsonl(tmp_path / "log.jsonl", given))
        group = value["groups"][0]
        assert group["dispositions"]["incomplete"] == 1
        assert group["incomplete_reasons"] == {"contradictory": 1}


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize("name", ["../up.jsonl", "/etc/log.jsonl", "C:/log.jsonl", "a/../../b"])
def test_a_member_that_points_outside_is_refused(tmp_path: Path, name: str) -> None:
    content = jsonl(tmp_path / "log.jsonl", ROWS).read_bytes()
    said = refused(zipped(tmp_path / "log.zip", {"fine.jsonl": content, name: content}))
    assert "points outside the archive; not read" in said
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["log.jsonl", "log.zip"]


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = zipped(tmp_path / "log.zip", {"log.jsonl": b"{}"})
    content = bytearray(path.read_bytes())
    size = content.index(b"PK\x01\x02") + 24  # of the member unpacked, as the directory tells it
    content[size : size + 4] = (2_000_000_000).to_bytes(4, "little")
    path.write_bytes(content)
    assert '"log.jsonl" unpacks to 2000000000 bytes from' in refused(path)


def test_a_gzip_bomb_is_not_read_on(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl.gz"
    rows = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
    path.write_bytes(gzip.compress(rows) + gzip.compress(b" " * (1 << 24)) * 25)
    assert "log.jsonl.gz: unpacks to more than 300 times its size; not read on" in refused(path)


@pytest.mark.parametrize("name", ["a b.jsonl", "a:b.jsonl", "ü=1,x=2.jsonl", "q?*.jsonl"])
def test_odd_names_of_files_folders_and_members_are_read(tmp_path: Path, name: str) -> None:
    folder = tmp_path / f"in {name}"
    folder.mkdir()
    path = jsonl(folder / name, ROWS)
    member = f"in side/{name}" if ":" in name else f"in: side/{name}"
    packed = zipped(tmp_path / "p: q.zip", {member: path.read_bytes()})
    for given in (path, folder, packed):
        assert n_pairs(audited(given)) == len(ROWS)


def test_nothing_to_read_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    assert "logs: the folder holds no files" in refused(folder)
    (folder / ".hidden.jsonl").write_text("{}")
    assert "logs: the folder holds no files" in refused(folder)
    (folder / "empty.jsonl").touch()
    assert "empty.jsonl: is empty: it holds no judgments" in refused(folder)
    assert "none.jsonl: there is no such file or folder" in refused(folder / "none.jsonl")
    assert "the archive holds no files" in refused(zipped(folder / "none.zip", {}))


def limited(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LIMITED, str(LIMIT), *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_file_larger_than_memory_is_streamed(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    text = "word " * 200_000
    row = json.dumps(fastchat_row(0, "model_1", "model_2", note="NOTE"))
    with path.open("w", encoding="utf-8") as file:
        for question in range(LIMIT // len(text) + 1):
            numbered = row.replace('"question_id": 0', f'"question_id": {question}')
            file.write(numbered.replace("NOTE", text) + "\n")
    assert path.stat().st_size > LIMIT
    done = limited("audit", path, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert n_pairs(json.loads(done.stdout)) == question + 1


def test_one_object_larger_than_memory_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    text = json.dumps("x" * (1 << 20))
    with path.open("w", encoding="utf-8") as file:
        file.write('{"evalId": "e", "results": {"version": 3, "results": [')
        file.writelines(f"{text}," for _ in range(LIMIT // len(text)))
        file.write("0]}}")
    done = limited("audit", path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "memory" in line
