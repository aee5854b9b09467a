"""Files, gzip, archives and folders are opened in place; what cannot be trusted is refused."""

from __future__ import annotations

import gzip
import io
import os
import zipfile
from typing import TYPE_CHECKING

import pytest

from counterbalance.errors import InputError
from counterbalance.importers import log_file
from counterbalance.importers.log_file import log_files

if TYPE_CHECKING:
    from pathlib import Path


def content(file: log_file.LogFile) -> bytes:
    with file.open() as stream:
        return stream.read()


def archive(path: Path, members: dict[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", kind) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return path


def test_a_plain_file_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a: log with spaces.jsonl"
    path.write_bytes(b"\xef\xbb\xbf{}\n")
    (file,) = log_files([path])
    assert content(file) == b"\xef\xbb\xbf{}\n"
    assert file.name == str(path)
    assert file.size == 6


def test_gzip_is_told_by_its_content_and_not_by_its_name(tmp_path: Path) -> None:
    packed, plain = tmp_path / "log.jsonl", tmp_path / "log.gz"
    packed.write_bytes(gzip.compress(b"packed"))
    plain.write_bytes(b"plain")
    assert [content(file) for file in log_files([packed, plain])] == [b"packed", b"plain"]


def test_a_stream_can_be_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    path.write_bytes(gzip.compress(b"twice"))
    (file,) = log_files([path])
    assert content(file) == content(file) == b"twice"


def test_a_cut_gzip_says_so(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(os.urandom(5000))[:2000])
    (file,) = log_files([path])
    with pytest.raises(InputError, match=r"cut\.jsonl\.gz: the compressed file ends too soon"):
        content(file)


def test_a_damaged_gzip_says_so(tmp_path: Path) -> None:
    path = tmp_path / "bad.gz"
    data = bytearray(gzip.compress(b"text" * 500))
    data[20] ^= 0xFF
    path.write_bytes(bytes(data))
    (file,) = log_files([path])
    with pytest.raises(InputError, match="the compressed file is damaged"):
        content(file)


def test_a_gzip_bomb_is_not_read_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_file, "_FREE_BYTES", 1_000_000)
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(b"\0" * 20_000_000))
    (file,) = log_files([path])
    with pytest.raises(InputError, match="unpacks to more than 300 times its size"):
        content(file)


def test_a_folder_gives_all_files_below_it_by_name_without_hidden_ones(tmp_path: Path) -> None:
    for name in ("b/x.jsonl", "a.jsonl", ".hidden.jsonl", ".git/y.jsonl", "b/.c/z.jsonl"):
        path = tmp_path / "logs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    assert [file.path.name for file in log_files([tmp_path / "logs"])] == ["a.jsonl", "x.jsonl"]


def test_an_empty_folder_and_a_missing_path_say_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the folder holds no files"):
        log_files([tmp_path])
    with pytest.raises(InputError, match=r"no\.jsonl: there is no such file or folder"):
        log_files([tmp_path / "no.jsonl"])


def test_members_of_a_zip_are_files_with_its_folders_in_their_names(tmp_path: Path) -> None:
    packed = gzip.compress(b"inner")
    path = archive(
        tmp_path / "logs.zip", {"b/x.json.gz": packed, "a.json": b"[]", "__MACOSX/q": b""}
    )
    first, second = log_files([path])
    assert [first.name, second.name] == [f"{path}!a.json", f"{path}!b/x.json.gz"]
    assert [content(first), content(second)] == [b"[]", b"inner"]
    assert second.inside.endswith("/logs/b/x.json")
    assert len(first.sha256()) == 64


@pytest.mark.parametrize("name", ["../evil.json", "/etc/passwd", "a/../../b", "C:/x", "..\\x"])
def test_a_member_that_points_outside_is_refused(tmp_path: Path, name: str) -> None:
    path = archive(tmp_path / "t.zip", {name: b"{}"})
    with pytest.raises(InputError, match="points outside the archive; not read"):
        log_files([path])


def test_a_zip_bomb_is_refused_before_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_file, "_FREE_BYTES", 1_000_000)
    path = archive(tmp_path / "bomb.zip", {"zeros.json": b"\0" * 20_000_000})
    with pytest.raises(InputError, match="unpacks to 20000000 bytes from"):
        log_files([path])


def test_a_damaged_zip_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(archive(tmp_path / "y.zip", {"a": b"1" * 99}).read_bytes()[:60])
    with pytest.raises(InputError, match="is no readable zip archive"):
        log_files([path])


def test_an_empty_zip_is_no_log(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr(".hidden", b"")
    path = tmp_path / "empty.zip"
    path.write_bytes(buffer.getvalue())
    with pytest.raises(InputError, match="the archive holds no files"):
        log_files([path])


def test_an_unreadable_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "locked.jsonl"
    path.write_text("{}")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read every file")
    with pytest.raises(InputError, match="permission denied"):
        log_files([path])
